// Keeps what the pages of a test ask on this machine: the public APIs are answered by the
// test's chain, through the bridge; what else would leave is stopped and told.
import { once } from 'node:events';

/** The hosts of the public APIs. */
export const publicHosts = [
  'api.hiro.so', 'api.mainnet.hiro.so', 'api.testnet.hiro.so',
  'stacks-node-api.mainnet.stacks.co', 'stacks-node-api.testnet.stacks.co',
];

/** What is not on this machine, as a URL begins. */
const away = /^(https?|wss?):\/\/(?!(localhost|[a-z0-9.-]+\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)(:\d+)?([/?#]|$))/i;

/** The URL of a page's request that leaves the machine, else undefined. */
export function leaves(text) { return away.test(text) ? new URL(text) : undefined; }

/** Whether a list of hosts has that of a URL: by its name, with its port, or by *.example. */
export function named(hosts, url) {
  return hosts.some(host => host === url.host || host === url.hostname
    || (host.startsWith('*.') && url.hostname.endsWith(host.slice(1))));
}

/**
 * The host of a public API as which the bridge is asked for a URL: itself, or for one
 * that the test names the one of its network.
 */
export function askedAs(hosts, url) {
  if (!named(hosts, url)) return undefined;
  if (publicHosts.includes(url.host)) return url.host;
  return url.hostname.includes('testnet') ? 'api.testnet.hiro.so' : 'api.hiro.so';
}

/** What pages asked beyond this machine in a test. */
export class Departures {
  #all = new Map();

  /** Notes a request; `stopped` says that it did not get out. */
  add(what, url, page, stopped) {
    const key = `${what} ${url.origin}${url.pathname}`;
    const known = this.#all.get(key);
    if (known) known.times++;
    else this.#all.set(key, { key, host: url.host, page, stopped, times: 1 });
  }

  /** Says in words what left the machine or would have; '' for nothing. */
  text() {
    const all = [...this.#all.values()];
    if (all.length === 0) return '';
    const lines = all.map(({ key, page, stopped, times }) =>
      `  ${stopped ? 'stopped ' : 'LEFT    '} ${key}${times > 1 ? ` (${times} times)` : ''}, asked by ${page}`);
    const hosts = [...new Set(all.map(({ host }) => `'${host}'`))];
    return ['a page asks beyond this machine:', ...lines,
      `  answer it with chain.stub(url, json), or let it out with the option allowHosts: [${hosts.join(', ')}]`].join('\n');
  }
}

/** Stands between the pages of a context and everything that is not on this machine. */
export class Home {
  #session;
  #api;
  #allowed;

  constructor(session, { routeApi = true, allowHosts = [] } = {}) {
    this.#session = session;
    this.#api = Array.isArray(routeApi) ? routeApi : publicHosts;
    this.#allowed = [...allowHosts, ...session.bridge.origins.map(origin => new URL(origin).host)];
    if (!routeApi) {
      this.#allowed.push(...this.#api);
      this.#api = [];
    }
  }

  async keep(context) {
    await context.route(away, route => this.#answer(route).catch(() => {})); // the page or the test has ended
    await context.routeWebSocket(away, socket => this.#connect(socket));
    context.on('request', request => this.#redirected(request));
  }

  async #answer(route) {
    const request = route.request();
    const url = new URL(request.url());
    const stub = this.#session.chain.stubbed(url);
    if (stub) return route.fulfill({ ...stub, headers: { ...stub.headers, ...readable(request) } });
    const host = askedAs(this.#api, url);
    if (host) return this.#fromChain(route, this.#at('http', host, url));
    if (named(this.#allowed, url)) return route.continue();
    this.#session.departures.add(request.method(), url, pageOf(request), true);
    return route.abort('blockedbyclient');
  }

  async #fromChain(route, url) {
    try {
      await route.fulfill({ response: await route.fetch({ url }) });
    } catch {
      await route.abort();
    }
  }

  /** Where the bridge answers for a host of a public API. */
  #at(protocol, host, url) {
    return `${this.#session.bridge.url.replace(/^http/, protocol)}/.chainscope/api/${host}${url.pathname}${url.search}`;
  }

  async #connect(socket) {
    const url = new URL(socket.url());
    const host = askedAs(this.#api, url);
    if (host) return join(socket, this.#at('ws', host, url));
    if (named(this.#allowed, url)) {
      socket.connectToServer();
      return undefined;
    }
    this.#session.departures.add('WebSocket', url, 'a page', true);
    return socket.close({ code: 1011, reason: `${url.host} is not on this machine` });
  }

  /** Playwright stops no request that another one was redirected to. */
  #redirected(request) {
    const url = leaves(request.url());
    if (!url || !request.redirectedFrom() || named(this.#allowed, url)) return;
    this.#session.departures.add(request.method(), url, pageOf(request), false);
  }
}

/** Joins a page's socket with one of the chain. Returns once it is open or cannot be. */
async function join(socket, url) {
  const { WebSocket } = await import('ws');
  const chain = new WebSocket(url);
  const ended = (code, reason) => socket.close({ code: code >= 3000 || code === 1000 ? code : 1011, reason }).catch(() => {}); // the page has gone
  chain.on('message', (data, binary) => socket.send(binary ? data : data.toString()));
  chain.on('close', (code, reason) => ended(code, reason.toString()));
  chain.on('error', () => {}); // close follows
  socket.onMessage(message => chain.send(message));
  socket.onClose(() => chain.close());
  await Promise.race([once(chain, 'open'), once(chain, 'close')]).catch(() => {});
}

/** Lets a page of any origin read an answer. */
function readable(request) {
  const { origin } = request.headers();
  return origin ? { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' } : {};
}

function pageOf(request) {
  try {
    return new URL(request.frame().url()).origin;
  } catch {
    return 'a worker';
  }
}
