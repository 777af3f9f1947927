// One worker's bridges and world, and what a test has done with them.
import { Bridge } from './bridge.js';
import { Chain } from './chain.js';
import { explain, refusals } from './explain.js';
import { Departures } from './home.js';
import { failures } from './outcomes.js';
import { Wallet } from './wallet.js';

/** The snapshot that every test begins at. */
const beginning = 'begin';

/** A wallet and its private chain, for one test after the other. */
export class Session {
  #options;
  #bridges = new Map();
  #pending = Promise.resolve();
  #failure;
  #asked = 0; // what was requested and is not described before this test, see undescribed

  /** Starts a bridge and its world. With `api`, the URL of a mock that serves worlds, the world is one of that mock. */
  static async start({ world, ...options } = {}) {
    const session = new Session();
    const api = options.api && world ? `${options.api.replace(/\/+$/, '')}/w/${world}` : options.api;
    session.#options = { ...options, api };
    session.bridge = await session.#open('chainscope');
    session.#options.api = session.bridge.api;
    await session.bridge.mock('POST', 'snapshot', { name: beginning });
    session.wallet = new Wallet(session);
    session.chain = new Chain(session);
    return session;
  }

  async #open(as) {
    let bridge = this.#bridges.get(as);
    if (!bridge) {
      bridge = await Bridge.start({ ...this.#options, as });
      this.#bridges.set(as, bridge);
    }
    return bridge;
  }

  /** Begins a test: the chain as it was at first, no rules, no calls, nothing granted. */
  async begin({ as = 'chainscope' } = {}) {
    await this.settled().catch(() => {}); // it belonged to the test before
    this.#failure = undefined;
    this.refused = new Set();
    this.departures = new Departures();
    this.#asked = await this.#undescribed(Number.MAX_SAFE_INTEGER).then(({ next }) => next);
    this.wallet.forget();
    this.chain.forget();
    await this.bridge.mock('POST', 'revert', { to: beginning });
    for (const bridge of this.#bridges.values()) {
      await bridge.control('POST', 'reset');
      await this.#switch(bridge, bridge.account, bridge.network);
    }
    await this.use(as);
  }

  /** Makes another wallet answer from now on, with the account and on the network of the one before. */
  async use(as) {
    const { account, network } = await this.bridge.control('GET', 'state');
    const bridge = await this.#open(as);
    await this.#switch(bridge, account, network);
    this.bridge = bridge;
    return bridge;
  }

  /** Changes account and network of a bridge where they are others. */
  async #switch(bridge, account, network) {
    const now = await bridge.control('GET', 'state');
    if (now.account !== account) await bridge.control('POST', 'account', { account });
    if (now.network !== network) await bridge.control('POST', 'network', { network });
  }

  /**
   * Runs something in order after all that was begun before. A failure nobody
   * awaits is told at the end of the test.
   */
  inOrder(what) {
    const done = this.#pending.then(what);
    this.#pending = done.catch(error => { this.#failure ??= error; });
    return done;
  }

  /** Waits for all that was begun, so that an expectation nobody awaited is in force. */
  async settled() {
    await this.#pending;
    if (this.#failure) throw this.#failure;
  }

  /** Answers a call of a page. */
  async call(origin, envelope, signal) {
    await this.#pending;
    const answer = await this.bridge.rpc(origin, envelope, signal);
    if (answer.error?.code === -32002 && !loopback(origin) && !this.bridge.origins.includes(origin)) this.refused.add(origin);
    return answer;
  }

  /**
   * What did not come, what came unexpected, what pages asked beyond this machine, and
   * every call, for the end of a test. What the test approves and the wallet refused is
   * told beside them, and why transactions did not succeed: it may be what is tested; and
   * what was asked of contracts that nobody has described.
   */
  async verdict() {
    await this.settled();
    const [verdicts, rules, calls] = [[], [], []];
    for (const bridge of this.#bridges.values()) {
      verdicts.push(await bridge.control('GET', 'verdict'));
      rules.push((await bridge.control('GET', 'rules')).rules);
      calls.push((await bridge.control('GET', 'calls')).calls);
    }
    const texts = verdicts.map((v, i) => explain(v, rules[i], calls[i])).filter(Boolean);
    for (const origin of this.refused) {
      texts.push(`calls of ${origin} were refused: name it in the option origins, such as origins: ['${origin}']`);
    }
    const left = this.departures.text();
    const refused = calls.map((each, i) => refusals(rules[i], each)).filter(Boolean).join('\n\n');
    const aborted = await failures(this.bridge, calls.flat());
    return { ok: texts.length === 0 && !left, text: texts.join('\n\n'), left, refused, aborted, undescribed: await this.undescribed(), calls: calls.flat() };
  }

  #undescribed(after) { return this.bridge.mock('GET', `undescribed?after=${after}`); }

  /** What this test asked of contracts and nobody has described, as a file for --contracts; '' for nothing. */
  async undescribed() { return (await this.#undescribed(this.#asked)).contracts; }

  /** Ends every bridge, and the world if it is not one of a mock that was given. */
  async close() {
    this.wallet.end();
    await Promise.all([...this.#bridges.values()].map(bridge => bridge.close()));
  }
}

function loopback(origin) {
  try {
    const { hostname } = new URL(origin);
    return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || hostname.startsWith('127.');
  } catch {
    return false;
  }
}
