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
  /**
   * Goes on from the state of a live chain: mainnet, testnet or the URL of an API, at a height (10 blocks below its tip by
   * default). What is read of it is kept in the folder cache; offline reads nothing else.
   */
  fork?: { api?: string; height?: number; cache?: string; offline?: boolean };
  /** Lets deployed contracts run, in the program of the package chainscope-clarity. The network is testnet by default then. */
  clarity?: boolean;
  /** Folder of a Clarinet project whose contracts are deployed first; they run. */
  project?: string;
  /** File to which every worker adds what was reached in contracts, in lcov's form; they run. */
  coverage?: string;
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

/** A number of the smallest units. */
export type Amount = number | bigint | string;

/** A Clarity value as a literal, such as '(ok u5)'. */
export type Literal = string;

/** What a read-only function answers; with args, to these alone. */
export interface ReadAnswer { args?: Literal[]; result: Literal }

/** An asset that a call moves. Without `from` it is minted, without `to` burned; `amount` is for STX and fungible tokens, `id` for others. */
export interface Move { asset: string; from?: string; to?: string; amount?: Literal; id?: Literal }

/**
 * How a call comes out, and what it moves, prints and sets where it succeeds. In literals
 * $1 is the first argument, $sender who calls and $contract the contract.
 */
export interface CallAnswer extends ReadAnswer {
  moves?: Move[];
  prints?: Literal[];
  sets?: { vars?: { [name: string]: Literal }; maps?: { name: string; key: Literal; value: Literal }[] };
}

/** What a contract answers; a literal alone is a result. */
export interface ContractAnswers {
  reads?: { [fn: string]: Literal | ReadAnswer | (Literal | ReadAnswer)[] };
  calls?: { [fn: string]: Literal | CallAnswer | (Literal | CallAnswer)[] };
  vars?: { [name: string]: Literal };
  maps?: { [name: string]: { key: Literal; value: Literal } | { key: Literal; value: Literal }[] };
  constants?: { [name: string]: Literal };
  /** The text of the contract, from which its interface is read. */
  source?: string;
}

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
  /** Drops a transaction that waits, as stale_garbage_collect by default. What comes after its nonce waits. */
  drop(txid: string, reason?: 'stale_garbage_collect' | 'too_expensive' | 'problematic'): Promise<void>;
  /** Keeps transactions waiting: blocks come and carry none, until release(). */
  hold(): Promise<void>;
  /** Ends hold(): what waits is mined in one block, which comes at once. */
  release(): Promise<Tip>;
  /** Gives an account a balance in micro-STX, or of STX and of tokens by ADDRESS.contract::name. */
  fund(address: string, balance: Amount | { stx?: Amount; tokens?: { [asset: string]: Amount } }): Promise<{ address: string; balance: string; nonce: number }>;
  /** Says in one object what a contract answers; later answers are added to those before. */
  contract(id: string, answers: ContractAnswers): Promise<{ contract: string; answers: number }>;
  /** Lets a read-only function answer a Clarity value, such as '(ok u5)'; with args, only a call with these. */
  read(contract: string, fn: string, answer: string, args?: string[]): Promise<{ contract: string; answers: number }>;
  /** Lets calls of a public function come out as a Clarity value, such as '(err u1)'. */
  call(contract: string, fn: string, result: string, args?: string[]): Promise<{ contract: string; answers: number }>;
  /**
   * Answers what pages ask of a URL beyond this machine with JSON. In the URL, * stands for
   * any text; one without a query fits with any.
   */
  stub(url: string, json: JSONValue, options?: { status?: number }): void;
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
  /**
   * What did not come and what came unexpected in this test, in words, and every call; left
   * says what pages asked beyond this machine, refused what the test approves and the wallet
   * refused all the same, aborted why transactions did not succeed, and undescribed what was
   * asked of contracts that nobody has described, as a file for --contracts.
   */
  verdict(): Promise<{ ok: boolean; text: string; left: string; refused: string; aborted: string; undescribed: string; calls: Omit<Call, 'words'>[] }>;
  /** Ends the bridge, and the chain if it has one of its own. */
  close(): Promise<void>;
}

/** Lets the pages of a Playwright browser context use the wallet of a session, and keeps what they ask on this machine. */
export function install(context: object, session: Session, options?: { routeApi?: boolean | string[]; allowHosts?: string[] }): Promise<{ close(): void }>;

/** Returns the path of the program. */
export function findBinary(): string;

/** What the approval of a call says, a line each. */
export function words(shown: Call['shown']): string;
