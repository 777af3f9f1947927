// What a page asks stays on this machine, and is answered as by the host that it asks.
import { createServer } from 'node:http';
import { expect, test } from 'chainscope/playwright';

/** Opens the dapp and returns a function that fetches JSON in it. */
async function open(page) {
  await page.goto('/');
  return (url, options) => page.evaluate(async ([u, o]) => (await fetch(u, o)).json(), [url, options]);
}

test('each host answers as its network', async ({ page }) => {
  const json = await open(page);
  for (const host of ['api.hiro.so', 'api.mainnet.hiro.so', 'stacks-node-api.mainnet.stacks.co']) {
    expect((await json(`https://${host}/v2/info`)).network_id).toBe(1);
  }
  for (const host of ['api.testnet.hiro.so', 'stacks-node-api.testnet.stacks.co']) {
    expect((await json(`https://${host}/v2/info`)).network_id).toBe(0x80000000);
  }
  // A transaction is asked without 0x and found by a redirect.
  const gone = await json(`https://api.hiro.so/extended/v1/tx/${'0'.repeat(64)}`);
  expect(gone.message ?? gone.error).toContain('could not find transaction');
});

test('blocks are pushed to the page', async ({ page, chain }) => {
  await page.goto('/');
  const pushed = page.evaluate(() => new Promise((done, failed) => {
    const socket = new WebSocket('wss://api.testnet.hiro.so/extended/v1/ws');
    socket.onopen = () => socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { event: 'block' } }));
    socket.onclose = failed;
    socket.onmessage = ({ data }) => {
      const { id, method, params } = JSON.parse(data);
      if (id === 1) document.title = 'subscribed';
      if (method === 'block') done(params.height);
    };
  }));
  await expect(page).toHaveTitle('subscribed');
  const { height } = await chain.mine(1);
  expect(await pushed).toBe(height);
});

test('a stub answers for a host', async ({ page, chain }) => {
  chain.stub('https://prices.invalid/v1/*', { usd: 1 });
  chain.stub('https://prices.invalid/v1/stx', { usd: 2 });
  chain.stub('https://prices.invalid/v1/stx?in=eur', { eur: 3 }, { status: 203 });
  chain.stub('https://api.hiro.so/v2/pox', { contract_id: 'stubbed' });
  const json = await open(page);
  expect(await json('https://prices.invalid/v1/btc?in=usd')).toEqual({ usd: 1 });
  expect(await json('https://prices.invalid/v1/stx?in=usd', { method: 'POST', headers: { 'x-own': '1' }, body: '{}' })).toEqual({ usd: 2 });
  expect(await json('https://prices.invalid/v1/stx?in=eur', { credentials: 'include' })).toEqual({ eur: 3 });
  expect(await json('https://api.hiro.so/v2/pox')).toEqual({ contract_id: 'stubbed' });
  expect(() => chain.stub('http://localhost:3000/x', {})).toThrow('use page.route');
});

test('what the test itself answers is its own', async ({ page }) => {
  await page.route('https://own.invalid/**', route => route.fulfill({ json: { own: true }, headers: { 'access-control-allow-origin': '*' } }));
  const json = await open(page);
  expect(await json('https://own.invalid/x')).toEqual({ own: true });
});

test('a page cannot control the chain', async ({ page }) => {
  await page.goto('/');
  expect(await page.evaluate(`fetch('https://api.hiro.so/mock/v1/reset', { method: 'POST' }).then(r => r.status)`)).toBe(403);
});

test.describe('with a host of its own', () => {
  test.use({ routeApi: ['node.invalid', 'testnet.node.invalid'], allowHosts: ['*.elsewhere.invalid'] });

  test('the host is answered by the chain', async ({ page }) => {
    const json = await open(page);
    expect((await json('https://node.invalid/v2/info')).network_id).toBe(1);
    expect((await json('https://testnet.node.invalid/v2/info')).network_id).toBe(0x80000000);
    // Let out, and nobody is there.
    expect(await page.evaluate(`fetch('https://a.elsewhere.invalid/').catch(e => e.name)`)).toBe('TypeError');
  });
});

test('a worker is kept at home too', async ({ page }) => {
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>worker</title>'));
  await new Promise(listens => { server.listen(0, '127.0.0.1', listens); });
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const network = await page.evaluate(() => new Promise(done => {
    const script = `fetch('https://api.testnet.hiro.so/v2/info').then(r => r.json()).then(i => postMessage(i.network_id), e => postMessage(String(e)))`;
    new Worker(URL.createObjectURL(new Blob([script]))).onmessage = ({ data }) => done(data);
  }));
  expect(network).toBe(0x80000000);
  server.close();
});
