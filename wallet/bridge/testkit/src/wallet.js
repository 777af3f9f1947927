// The wallet of a test: what it expects, and what pages have asked.
import { words } from './explain.js';

/** A rule in the making: says how the calls that fit are answered. */
class Expectation {
  #session;
  #rule;

  constructor(session, rule) {
    this.#session = session;
    this.#rule = rule;
  }

  /** Fits so many calls instead of one; 'any' is none or more. */
  times(times) { return new Expectation(this.#session, { ...this.#rule, times }); }

  /** Fits only calls of the pages of an origin. */
  from(origin) { return new Expectation(this.#session, { ...this.#rule, origin }); }

  /** Waits before it answers: '300ms', '2s'. */
  after(delay) { return new Expectation(this.#session, { ...this.#rule, delay }); }

  #answer(answer) {
    const { delay, ...rule } = this.#rule;
    rule.answer = delay ? { delay, then: answer } : answer;
    return this.#session.inOrder(async () => { await this.#session.bridge.control('POST', 'rules', [rule]); });
  }

  /** The wallet approves: it checks, signs and answers as a real one. */
  approve() { return this.#answer('approve'); }

  /** The person says no. */
  reject() { return this.#answer('reject'); }

  /** Answers this result in place of the wallet. */
  answer(result) { return this.#answer({ result }); }

  /** Fails with this code in place of the wallet. */
  fail(code, message = 'failed by the test') { return this.#answer({ error: { code, message } }); }
}

/** The wallet of the pages of a test. */
export class Wallet {
  #session;
  #calls = [];
  #after = 0;
  #pages = new Set();
  #ending = new AbortController();

  constructor(session) { this.#session = session; }

  /** Ends what waits for a call: the test has ended. */
  end() {
    this.#ending.abort();
    this.#ending = new AbortController();
  }

  /** Forgets the calls and pages of the test before. */
  forget() {
    this.end();
    this.#calls = [];
    this.#after = 0;
    this.#pages.clear();
  }

  /** Expects a call of a method ('*' for any) whose params have at least what `having` says. */
  expect(method, having) {
    return new Expectation(this.#session, { expect: method, ...(having === undefined ? {} : { with: having }) });
  }

  /** The next call of a method ('*' for any) that this has not returned yet; waits for it. */
  nextCall(method = '*', { timeout = 5_000 } = {}) {
    const call = this.#next(method, timeout, this.#ending.signal);
    call.catch(() => {}); // a test may end without waiting for it
    return call;
  }

  async #next(method, timeout, signal) {
    await this.#session.settled();
    const end = Date.now() + timeout;
    for (;;) {
      const i = this.#calls.findIndex(call => method === '*' || call.method === method);
      if (i >= 0) return this.#calls.splice(i, 1)[0];
      const left = end - Date.now();
      if (left <= 0) throw new Error(`no call of ${method} came within ${timeout} ms${this.#others()}`);
      const wait = Math.min(left, 30_000);
      const answer = this.#session.bridge.control('GET', `calls?after=${this.#after}&wait=${Math.ceil(wait)}ms`, undefined, { signal });
      const { calls, next } = await answer.catch(error => {
        throw signal.aborted ? new Error(`no call of ${method} came before the test ended${this.#others()}`) : error;
      });
      this.#after = next;
      this.#calls.push(...calls.map(call => ({ ...call, words: words(call.shown) })));
    }
  }

  #others() {
    const methods = this.#calls.map(call => call.method);
    return methods.length ? `; what came: ${methods.join(', ')}` : '';
  }

  /** Every call of this test so far. */
  async calls() {
    await this.#session.settled();
    const { calls } = await this.#session.bridge.control('GET', 'calls');
    return calls.map(call => ({ ...call, words: words(call.shown) }));
  }

  /** Calls the wallet as a page of an origin does. Returns the result; an error throws with its code. */
  async request(method, params, { origin = 'http://localhost:3000' } = {}) {
    const { result, error } = await this.#session.call(origin, { jsonrpc: '2.0', id: '1', method, ...(params === undefined ? {} : { params }) });
    if (error) throw Object.assign(new Error(error.message), { code: error.code, data: error.data });
    return result;
  }

  /** Makes another account the active one; pages get the events of a wallet that was switched. */
  switchAccount(account) {
    return this.#session.inOrder(async () => { await this.#session.bridge.control('POST', 'account', { account }); });
  }

  /** Changes the network of calls that name none: 'mainnet', 'testnet', 'devnet'. */
  switchNetwork(network) {
    return this.#session.inOrder(async () => { await this.#session.bridge.control('POST', 'network', { network }); });
  }

  /** Sends an event to the pages that listen. */
  emit(event, data = {}) {
    return this.#session.inOrder(async () => { await this.#session.bridge.control('POST', 'emit', { event, data }); });
  }

  /** The Stacks address of the active account. */
  async address() {
    await this.#session.settled();
    return (await this.#session.bridge.control('GET', 'state')).address;
  }

  /** Plays another wallet from now on: 'chainscope', 'leather' or 'xverse'. Rules and calls are each wallet's own. */
  as(wallet) {
    return this.#session.inOrder(async () => {
      await this.#session.use(wallet);
      this.#calls = [];
      this.#after = 0;
      for (const pages of this.#pages) await pages.replaced();
    });
  }

  /** Gives the wallet to what knows how to put it into pages, see page.js. */
  attach(pages) { this.#pages.add(pages); }
}
