// Seven tests that must fail, and two that must not: how each of them ends is what is tested.
import { createServer } from 'node:http';
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

test('fails: the wallet refused what it approves', async ({ page, wallet }) => {
  wallet.expect('stx_transferStx').approve();
  await page.goto('/');
  const error = await page.evaluate(`window.ChainscopeProvider.request('stx_transferStx', { amount: 'x' }).catch(rejected => rejected.error)`);
  expect(error).toBeUndefined();
});

test('fails: asks beyond this machine', async ({ page }) => {
  await page.goto('/');
  const ask = url => page.evaluate(`fetch('${url}').then(() => 'came', () => 'stopped')`);
  expect(await ask('https://prices.invalid/v1/stx?in=usd')).toBe('stopped');
  expect(await ask('https://prices.invalid/v1/stx?in=eur')).toBe('stopped');
  const closed = await page.evaluate(`new Promise(done => { new WebSocket('wss://push.invalid/feed').onclose = e => done(e.reason); })`);
  expect(closed).toBe('push.invalid is not on this machine');
  // A redirect of a server on this machine cannot be stopped.
  const server = createServer((_, response) => response.writeHead(302, { location: 'https://redirected.invalid/x' }).end());
  await new Promise(listens => { server.listen(0, '127.0.0.1', listens); });
  expect(await page.goto(`http://127.0.0.1:${server.address().port}/`).catch(() => 'nobody is there')).toBe('nobody is there');
  server.close();
});

test('fails: a transaction aborted', async ({ page, wallet, chain }) => {
  const contract = 'ST000000000000000000002AMW42H.rent';
  await chain.contract(contract, { calls: { pay: { result: '(ok true)', moves: [{ asset: 'STX', from: 'sender', to: 'contract', amount: 'u9' }] } } });
  wallet.expect('stx_callContract').approve();
  await page.goto('/');
  const { result } = await page.evaluate(([to]) => window.ChainscopeProvider.request('stx_callContract', { contract: to, functionName: 'pay', functionArgs: [], postConditionMode: 'deny' }), [contract]);
  const tx = await page.evaluate(id => fetch(`https://api.testnet.hiro.so/extended/v1/tx/0x${id}`).then(r => r.json()), result.txid);
  expect(tx.tx_status).toBe('success');
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
