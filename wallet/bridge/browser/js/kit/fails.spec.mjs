// Four tests that must fail, and two that must not: how each of them ends is what is tested.
import { expect, test } from 'chainscope/playwright';

test('fails: another amount', async ({ page, wallet }) => {
  wallet.expect('stx_transferStx', { amount: '2000000' }).approve();
  await page.goto('/');
  await page.click('#pay');
  await expect(page.locator('#paid')).toHaveText(/^failed/);
});

test('fails: unexpected', async ({ page }) => {
  await page.goto('/');
  await page.click('#connect');
  await expect(page.locator('#account')).toHaveText(/^failed/);
});

test('fails: did not come', async ({ wallet }) => {
  await wallet.expect('signPsbt').approve();
});

test('fails: a rule that is wrong', async ({ wallet }) => {
  wallet.expect('signPsbt').after('soon').approve().catch(() => {}); // nobody looks
});

test('plays other wallets', async ({ page, wallet, chain }) => {
  await page.goto('/');
  await wallet.as('xverse');
  expect(await page.evaluate('[window.ChainscopeProvider, typeof window.XverseProviders.BitcoinProvider]')).toEqual([undefined, 'object']);
  wallet.expect('wallet_connect').approve();
  await wallet.request('wallet_connect', {});
  await wallet.as('leather');
  wallet.expect('stx_signMessage').fail(4001, 'not today');
  await page.goto('/?again'); // the new wallet is there from the start
  const refused = await page.evaluate(`window.LeatherProvider.request('stx_signMessage', { message: 'hi' }).catch(rejected => rejected.error)`);
  expect(refused).toEqual({ code: 4001, message: 'not today' });
  expect((await wallet.nextCall()).method).toBe('stx_signMessage');
  expect((await chain.requests()).length).toBeGreaterThanOrEqual(0);
});

test('a page of a public host uses the wallet too', async ({ page, wallet }) => {
  await page.route('https://dapp.example/', route => route.fulfill({ contentType: 'text/html', body: '<title>far</title>' }));
  await page.goto('https://dapp.example/');
  wallet.expect('getAddresses').from('https://dapp.example').approve();
  const { result } = await page.evaluate(`window.ChainscopeProvider.request('getAddresses', {})`);
  expect(result.addresses).toHaveLength(3);
});
