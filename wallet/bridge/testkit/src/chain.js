// The private chain of a test.
import { described } from './described.js';
import { Stubs } from './stubs.js';

/** The chain of a worker. Everything that a test does to it is taken back before the next one. */
export class Chain {
  #session;
  #snapshots = [];
  #stubs = new Stubs();

  constructor(session) { this.#session = session; }

  /** Forgets the snapshots and the stubs of the test before. */
  forget() {
    this.#snapshots = [];
    this.#stubs = new Stubs();
  }

  /** Base URL of the API, for a dapp that can be told one. */
  get url() { return this.#session.bridge.api; }

  #do(route, body) {
    return this.#session.inOrder(() => this.#session.bridge.mock('POST', route, body));
  }

  /** Mines blocks at once. Returns the tip. */
  async mine(blocks = 1) { return (await this.#do('mine', { blocks })).tip; }

  /** Remembers how everything stands and returns the name to go back to. */
  async snapshot(name = `snapshot-${this.#snapshots.length + 1}`) {
    this.#snapshots = [...this.#snapshots.filter(known => known !== name), name];
    await this.#do('snapshot', { name });
    return name;
  }

  /** Goes back to a snapshot, the last one by default: chain, transactions, accounts, contracts, clock, and the wallet's connections. */
  async revert(to = this.#snapshots.at(-1)) {
    if (to === undefined) throw new Error('no snapshot was taken in this test; call chain.snapshot() first');
    const { tip } = await this.#do('revert', { to });
    this.#snapshots = this.#snapshots.slice(0, this.#snapshots.indexOf(to) + 1);
    return tip;
  }

  /** Moves the clock on: '3h', '90s'. Returns the tip. */
  async advance(duration) { return (await this.#do('clock', { advance: duration })).tip; }

  /** Replaces the newest blocks; their transactions wait for the next one. Returns the tip. */
  async reorg(depth = 1) { return (await this.#do('reorg', { depth })).tip; }

  /** Drops a transaction that waits: 'stale_garbage_collect' unless you say 'too_expensive' or 'problematic'. What comes after its nonce waits. */
  async drop(txid, reason) { await this.#do('mempool', { drop: txid, ...(reason !== undefined && { reason }) }); }

  /** Keeps transactions waiting: blocks come and carry none, until release(). */
  async hold() { await this.#do('mempool', { hold: true }); }

  /** Ends hold(): what waits is mined in one block, which comes at once. Returns the tip. */
  async release() { return (await this.#do('mempool', { hold: false })).tip; }

  /** Gives an account a balance in micro-STX, or of STX and tokens: { stx, tokens: { ASSET: amount } }. */
  async fund(address, balance) {
    const { stx, tokens, ...others } = typeof balance === 'object' && balance !== null ? balance : { stx: balance };
    const unknown = Object.keys(others);
    if (unknown.length) throw new Error(`chain.fund takes stx and tokens, not ${unknown.join(', ')}`);
    return this.#do('accounts', {
      address,
      ...(stx !== undefined && { balance: String(stx) }),
      ...(tokens && { tokens: Object.fromEntries(Object.entries(tokens).map(([asset, amount]) => [asset, String(amount)])) }),
    });
  }

  /**
   * Says in one object what a contract answers: reads, calls with what they move, print and
   * set, vars and maps. Later answers are added to those before.
   */
  async contract(id, answers) { return this.#do('contracts', described(id, answers)); }

  /** Lets a read-only function answer a Clarity value, such as '(ok u5)'; with args, only a call with these. */
  async read(contract, fn, answer, args) {
    const entry = args ? [{ args, result: answer }] : { result: answer };
    return this.#do('contracts', { contract, reads: { [fn]: entry } });
  }

  /** Lets calls of a public function come out as a Clarity value, such as '(err u1)'. */
  async call(contract, fn, result, args) {
    const entry = args ? [{ args, result }] : { result };
    return this.#do('contracts', { contract, calls: { [fn]: entry } });
  }

  /**
   * Answers what pages ask of a URL beyond this machine with JSON. In the URL, * stands for
   * any text; one without a query fits with any.
   */
  stub(url, json, { status = 200 } = {}) { this.#stubs.add(url, json, status); }

  /** What pages get for a URL by a stub, undefined for none. */
  stubbed(url) { return this.#stubs.find(url); }

  /** What the chain was asked, oldest first. */
  async requests(after = 0) {
    await this.#session.settled();
    return (await this.#session.bridge.mock('GET', `requests?after=${after}`)).requests;
  }
}
