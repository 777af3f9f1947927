import type { PlaywrightTestArgs, PlaywrightTestOptions, PlaywrightWorkerArgs, PlaywrightWorkerOptions, TestType } from '@playwright/test';
import type { Chain, ChainscopeOptions, Session, Wallet, WalletName } from './index.js';

export { expect } from '@playwright/test';
export type { Call, Chain, ChainscopeOptions, Expectation, Wallet } from './index.js';

export interface ChainscopeFixtures {
  /** The wallet of the test's pages. What did not come or came unexpected fails the test at its end. */
  wallet: Wallet;
  /** The chain of the test. It begins each test as it was at first. */
  chain: Chain;
  /** Answers the page's requests to the public API hosts from the chain of the test; a list names other hosts, false lets them out. */
  routeApi: boolean | string[];
  /** Further hosts that pages may ask, such as fonts.example or *.example. */
  allowHosts: string[];
  /** The wallet that pages see. */
  playWallet: WalletName;
}

export interface ChainscopeWorkerFixtures {
  /** How bridge and chain of a worker are started. */
  chainscope: ChainscopeOptions;
  /** Lets deployed contracts run, in the program of the package chainscope-clarity. */
  clarity: boolean;
  chainscopeSession: Session;
}

export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & ChainscopeFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & ChainscopeWorkerFixtures
>;
