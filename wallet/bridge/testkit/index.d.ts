/** A JSON value of a call. */
export type JSONValue = null | boolean | number | string | JSONValue[] | { [key: string]: JSONValue };

/** The wallet that pages see. */
export type WalletName = 'chainscope' | 'leather' | 'xverse';

/** The networks by their names. */
export type NetworkName = 'mainnet' | 'testnet' | 'devnet' | 'mocknet' | 'regtest';

/** How the bridge and the chain of a worker are started. */
export interface ChainscopeOptions {
  /** Path of the program; by default CHAINSCOPE_BIN, the platform's package, or the PATH. */
  binary?: string;
  /** URL of a mock started with `chainscope mock --worlds --automine`; without it each worker has a chain of its own. */
  api?: string;
  /** The world at `api`; by default one for each worker. */
  world?: string;
  /** Where the clock of the chain stands, RFC 3339; '' lets it run. Default 2026-01-01T00:00:00Z. */
  freeze?: string;
  /** Chooses the chain. */
  seed?: number | bigint;
  /** The account to begin with, from 0. */
  account?: number;
  /** The network of calls that name none; mainnet by default. */
  network?: NetworkName;
  /** Origins beyond loopback whose pages may call, such as https://app.example; that of `baseURL` is in it already. */
  origins?: string[];
  /** Further arguments of `chainscope bridge`. */
  args?: string[];
}

/** A rule in the making; the last call says how the calls that fit it are answered. */
export interface Expectation {
  /** Fits so many calls instead of one; 'any' is none or more. */
  times(times: number | 'any'): Expectation;
  /** Fits only calls of the pages of an origin. */
  from(origin: string): Expectation;
  /** Waits before it answers: '300ms', '2s'. */
  after(delay: string): Expectation;
  /** The wallet approves: it checks, signs and answers as a real one. */
  approve(): Promise<void>;
  /** The person says no. */
  reject(): Promise<void>;
  /** Answers this result in place of the wallet. */
  answer(result: JSONValue): Promise<void>;
  /** Fails with this code in place of the wallet. */
  fail(code: number, message?: string): Promise<void>;
}

/** A call of a page, with its answer. */
export interface Call {
  /** Counts from 1 in each test. */
  n: number;
  /** When it came, RFC 3339. */
  time: string;
  origin: string;
  method: string;
  params: JSONValue;
  /** What the approval showed, as the program describes it; null when nothing was shown. */
  shown: { [key: string]: JSONValue } | null;
  /** The same in words, a line each; '' when nothing was shown. */
  words: string;
  answer: { result?: JSONValue; error?: { code: number; message: string; data?: JSONValue } };
  /** The number of the rule that answered, null for none. */
  rule: number | null;
  unexpected: boolean;
}

/** The wallet of the pages of a test. */
export interface Wallet {
  /** Expects a call of a method ('*' for any) whose params have at least what `having` says. */
  expect(method: string, having?: { [key: string]: unknown }): Expectation;
  /** The next call of a method (any by default) that this has not returned yet; waits for it, 5 s by default. */
  nextCall(method?: string, options?: { timeout?: number }): Promise<Call>;
  /** Every call of this test so far. */
  calls(): Promise<Call[]>;
  /** Calls the wallet as a page does, without a browser. An error throws with its code. */
  request(method: string, params?: JSONValue, options?: { origin?: string }): Promise<JSONValue>;
  /** Makes another account the active one; pages get the events of a wallet that was switched. */
  switchAccount(account: number): Promise<void>;
  /** Changes the network of calls that name none. */
  switchNetwork(network: NetworkName): Promise<void>;
  /** Sends an event to the pages that listen. */
  emit(event: string, data?: JSONValue): Promise<void>;
  /** The Stacks address of the active account. */
  address(): Promise<string>;
  /** Plays another wallet from now on. Rules and calls are each wallet's own. */
  as(wallet: WalletName): Promise<void>;
}

/** The newest block. */
export interface Tip { height: number; burn_height: number }

/** What the chain was asked. */
export interface ChainRequest { n: number; time: string; method: string; path: string; status: number; fault: string; world: string }

/** The private chain of a test. */
export interface Chain {
  /** Base URL of the API, for a dapp that can be told one. */
  readonly url: string;
  /** Mines blocks at once. */
  mine(blocks?: number): Promise<Tip>;
  /** Remembers how everything stands and returns the name to go back to. */
  snapshot(name?: string): Promise<string>;
  /** Goes back to a snapshot, the last one by default. */
  revert(to?: string): Promise<Tip>;
  /** Moves the clock on: '3h', '90s'. */
  advance(duration: string): Promise<Tip>;
  /** Replaces the newest blocks; their transactions wait for the next one. */
  reorg(depth?: number): Promise<Tip>;
  /** Gives an account a balance in micro-STX. */
  fund(address: string, amount: number | bigint | string): Promise<{ address: string; balance: string; nonce: number }>;
  /** Lets a read-only function answer a Clarity value, such as '(ok u5)'; with args, only a call with these. */
  read(contract: string, fn: string, answer: string, args?: string[]): Promise<{ contract: string; answers: number }>;
  /** Lets calls of a public function come out as a Clarity value, such as '(err u1)'. */
  call(contract: string, fn: string, result: string, args?: string[]): Promise<{ contract: string; answers: number }>;
  /** What the chain was asked, oldest first. */
  requests(after?: number): Promise<ChainRequest[]>;
}

/** A wallet and its private chain, for one test after the other. */
export class Session {
  /** Starts a bridge and its world. */
  static start(options?: ChainscopeOptions): Promise<Session>;
  readonly wallet: Wallet;
  readonly chain: Chain;
  /** Begins a test: the chain as it was at first, no rules, no calls, nothing granted. */
  begin(options?: { as?: WalletName }): Promise<void>;
  /** What did not come and what came unexpected in this test, in words, and every call. */
  verdict(): Promise<{ ok: boolean; text: string; calls: Omit<Call, 'words'>[] }>;
  /** Ends the bridge, and the chain if it has one of its own. */
  close(): Promise<void>;
}

/** Lets the pages of a Playwright browser context use the wallet of a session. */
export function install(context: object, session: Session, options?: { routeApi?: boolean | string[] }): Promise<{ close(): void }>;

/** Returns the path of the program. */
export function findBinary(): string;

/** What the approval of a call says, a line each. */
export function words(shown: Call['shown']): string;
