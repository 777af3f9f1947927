import { test, expect } from '@playwright/test';

// The calls for which the printed answers.yaml has rules, and what they answer.
test('a script answers', async ({ page }) => {
  await page.goto('/');
  const ask = (method, params) => page.evaluate(
    ([method, params]) => window.ChainscopeProvider.request(method, params).catch(rejected => rejected), [method, params]);
  expect((await ask('getAddresses', {})).result.addresses.length).toBeGreaterThan(0);
  const paid = { recipient: 'ST000000000000000000002AMW42H', amount: '1500000', network: 'testnet' };
  expect((await ask('stx_transferStx', paid)).result.txid).toMatch(/^[0-9a-f]{64}$/);
  const call = { contract: 'ST000000000000000000002AMW42H.counter', functionName: 'add', functionArgs: ['0x0100000000000000000000000000000001'], network: 'testnet' };
  expect((await ask('stx_callContract', call)).error.code).toBe(-32000);
  expect((await ask('stx_signMessage', { message: 'hello' })).error.message).toBe('the wallet broke');
});
