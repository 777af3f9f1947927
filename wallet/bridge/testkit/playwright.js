// Fixtures for Playwright: import { test, expect } from 'chainscope/playwright'.
import { test as base } from '@playwright/test';
import { install } from './src/page.js';
import { Session } from './src/session.js';

export { expect } from '@playwright/test';

export const test = base.extend({
  chainscope: [{}, { option: true, scope: 'worker' }],
  clarity: [false, { option: true, scope: 'worker' }],
  routeApi: [true, { option: true }],
  allowHosts: [[], { option: true }],
  serviceWorkers: ['block', { option: true }], // their requests could not be seen
  playWallet: ['chainscope', { option: true }],

  // One bridge and one world for each worker.
  chainscopeSession: [async ({ chainscope, clarity }, use, worker) => {
    const origins = [...(chainscope.origins ?? [])];
    const { baseURL } = worker.project.use;
    if (baseURL) origins.push(new URL(baseURL).origin);
    const session = await Session.start({ world: `worker-${worker.workerIndex}`, clarity, ...chainscope, origins });
    await use(session);
    await session.close();
  }, { scope: 'worker' }],

  chainscopeTest: async ({ chainscopeSession, playWallet }, use, info) => {
    await chainscopeSession.begin({ as: playWallet });
    await use(chainscopeSession);
    const verdict = await chainscopeSession.verdict();
    const { ok, text, left, refused, aborted, undescribed, calls } = verdict;
    const failed = info.status !== info.expectedStatus;
    if ((!ok || failed) && calls.length) {
      await info.attach('wallet calls', { body: JSON.stringify(calls, null, 2), contentType: 'application/json' });
    }
    if (undescribed) await info.attach('contracts.yaml', { body: undescribed, contentType: 'application/yaml' });
    const vain = undescribed && `${askedInVain}\n\n${undescribed}`;
    const told = [text, left, refused, aborted, vain].filter(Boolean).join('\n\n');
    if (!ok || (failed && told)) {
      await info.attach('wallet verdict', { body: told, contentType: 'text/plain' });
      const error = new Error(`${heading(verdict)}\n\n${told}`);
      error.stack = error.message; // the lines of the kit help nobody
      throw error;
    }
  },

  wallet: async ({ chainscopeTest }, use) => { await use(chainscopeTest.wallet); },
  chain: async ({ chainscopeTest }, use) => { await use(chainscopeTest.chain); },

  context: async ({ context, chainscopeTest, routeApi, allowHosts }, use) => {
    const pages = await install(context, chainscopeTest, { routeApi, allowHosts });
    await use(context);
    pages.close();
  },
});

const askedInVain = `asked of contracts that nobody has described; say it with chain.contract, or write what they answer
into this file and give it with args: ['--mock-contracts', FILE] among the options of chainscope:`;

function heading({ text, left, refused, aborted }) {
  if (text) return 'the wallet was not used as this test says';
  if (left) return 'the pages of this test are not kept on this machine';
  if (refused) return 'the wallet refused what this test approves';
  return aborted ? 'a transaction of this test did not succeed' : 'this test asks contracts that nobody has described';
}
