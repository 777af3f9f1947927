// Puts the wallet into the pages of a Playwright browser context. Calls go through a
// binding and not over the network: neither CORS, nor a page's content security policy,
// nor the browser's rules for loopback are in the way, whatever host serves the page.
import { Home } from './home.js';
import { listen } from './http.js';

const binding = '__chainscope';

/** What takes away the wallet that a page had, before another one is put in. */
const forget = `(function () {
  function drop(holder, names) {
    for (const name of names) if (holder && holder[name] && holder[name].isChainscope) delete holder[name];
  }
  drop(window, ['ChainscopeProvider', 'LeatherProvider', 'HiroWalletProvider', 'StacksProvider', 'BitcoinProvider', 'btc']);
  drop(window.XverseProviders, ['BitcoinProvider', 'StacksProvider']);
  for (const list of ['wbip_providers', 'btc_providers']) {
    if (Array.isArray(window[list])) window[list] = window[list].filter(entry => !/\\/\\.chainscope\\/demo$/.test(entry && entry.webUrl));
  }
})();`;

/** Lets the pages of a context use the wallet of a session. */
export async function install(context, session, options = {}) {
  const pages = new Pages(context, session);
  await context.exposeBinding(binding, (source, message) => pages.heard(source, message));
  await context.addInitScript({ content: await session.bridge.provider(binding) });
  await new Home(session, options).keep(context);
  context.on('close', () => pages.close());
  session.wallet.attach(pages);
  return pages;
}

class Pages {
  #context;
  #session;
  #ended = new AbortController();
  #listening = new Map(); // a bridge's URL and an origin, to the promise of its stream

  constructor(context, session) {
    this.#context = context;
    this.#session = session;
  }

  close() { this.#ended.abort(); }

  /** A page calls, or starts to listen. */
  async heard({ page, frame }, message) {
    const { origin } = new URL(frame.url());
    if (message.listen) return this.#listen(origin);
    const gone = new AbortController();
    const stop = () => gone.abort();
    const navigated = other => { if (other === frame) stop(); };
    this.#ended.signal.addEventListener('abort', stop);
    page.on('close', stop).on('framenavigated', navigated);
    try {
      return await this.#session.call(origin, message.call, gone.signal);
    } catch (error) {
      if (gone.signal.aborted) return undefined; // nobody waits for it
      return { jsonrpc: '2.0', id: message.call.id, error: { code: -32603, message: `chainscope cannot be reached: ${error.message}` } };
    } finally {
      this.#ended.signal.removeEventListener('abort', stop);
      page.off('close', stop).off('framenavigated', navigated);
    }
  }

  #listen(origin) {
    const { url } = this.#session.bridge;
    const key = `${url} ${origin}`;
    if (!this.#listening.has(key)) {
      this.#listening.set(key, listen(`${url}/.chainscope/events`, {
        headers: { origin }, signal: this.#ended.signal,
        onEvent: (name, data) => this.#tell(origin, name, data),
      }));
    }
    return this.#listening.get(key);
  }

  #tell(origin, name, data) {
    for (const frame of this.#frames()) {
      if (new URL(frame.url()).origin !== origin) continue;
      frame.evaluate(([type, detail]) => window.dispatchEvent(new CustomEvent(type, { detail })), [`chainscope:${name}`, data])
        .catch(() => {}); // the page has gone
    }
  }

  #frames() { return this.#context.pages().flatMap(page => page.frames()).filter(frame => /^https?:/.test(frame.url())); }

  /** Puts the wallet that the session has now into the pages there are, and into those to come. */
  async replaced() {
    const content = `${forget}\n${await this.#session.bridge.provider(binding)}`;
    await this.#context.addInitScript({ content });
    for (const frame of this.#frames()) await frame.evaluate(content).catch(() => {}); // the page has gone
  }
}
