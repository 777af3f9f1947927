// Fixtures for Playwright: import { test, expect } from 'chainscope/playwright'.
import { test as base } from '@playwright/test';
import { install } from './src/page.js';
import { Session } from './src/session.js';

export { expect } from '@playwright/test';

export const test = base.extend({
  chainscope: [{}, { option: true, scope: 'worker' }],
  routeApi: [false, { option: true }],
  playWallet: ['chainscope', { option: true }],

  // One bridge and one world for each worker.
  chainscopeSession: [async ({ chainscope }, use, worker) => {
    const origins = [...(chainscope.origins ?? [])];
    const { baseURL } = worker.project.use;
    if (baseURL) origins.push(new URL(baseURL).origin);
    const session = await Session.start({ world: `worker-${worker.workerIndex}`, ...chainscope, origins });
    await use(session);
    await session.close();
  }, { scope: 'worker' }],

  chainscopeTest: async ({ chainscopeSession, playWallet }, use, info) => {
    await chainscopeSession.begin({ as: playWallet });
    await use(chainscopeSession);
    const { ok, text, calls } = await chainscopeSession.verdict();
    if (!ok || info.status !== info.expectedStatus) {
      if (calls.length) await info.attach('wallet calls', { body: JSON.stringify(calls, null, 2), contentType: 'application/json' });
    }
    if (!ok) {
      await info.attach('wallet verdict', { body: text, contentType: 'text/plain' });
      const error = new Error(`the wallet was not used as this test says\n\n${text}`);
      error.stack = error.message; // the lines of the kit help nobody
      throw error;
    }
  },

  wallet: async ({ chainscopeTest }, use) => { await use(chainscopeTest.wallet); },
  chain: async ({ chainscopeTest }, use) => { await use(chainscopeTest.chain); },

  context: async ({ context, chainscopeTest, routeApi }, use) => {
    const pages = await install(context, chainscopeTest, { routeApi });
    await use(context);
    pages.close();
  },
});
