// Drives the dapp in a real browser: drive.mjs CHROMIUM BRIDGE MODE [DAPP]
// MODE "script" loads provider.js from the bridge into a page of a Vite server; "proxy"
// opens the dapp that the bridge serves itself. Prints what it checked.
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const [chromiumPath, bridge, mode, dapp] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
let checks = 0;

function check(condition, what, got) {
  if (!condition) throw new Error(`${what}: ${JSON.stringify(got)}`);
  checks++;
  console.log(`ok ${what}`);
}
// tell asks the test, which owns the processes, to do something, and waits.
async function tell(what) {
  console.log(`please ${what}`);
  await lines.next();
}

const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
const context = await browser.newContext();

async function open() {
  const page = await context.newPage();
  page.on('pageerror', error => console.log(`pageerror ${error.message}`));
  await page.goto(mode === 'proxy' ? bridge : `${dapp}?bridge=${encodeURIComponent(bridge)}`);
  await page.waitForFunction('window.dapp', null, { timeout: 120000 });
  return page;
}
const run = (page, method, ...args) => page.evaluate(([name, given]) => window.dapp[name](...given), [method, args]);

// connectBy opens the real modal and picks our row.
async function connectBy(page, act) {
  await page.evaluate(() => { window.outcome = undefined; window.dapp.connect().then(o => { window.outcome = o; }); });
  const modal = page.locator('connect-modal');
  await modal.getByText('Connect a wallet').waitFor();
  await act(modal);
  await page.waitForFunction('window.outcome');
  return page.evaluate(() => window.outcome);
}
const row = modal => modal.locator('li', { hasText: 'chainscope (terminal)' });

try {
  const page = await open();
  check(!(await run(page, 'isConnected')), 'a new page is not connected');

  const cancelled = await connectBy(page, async modal => {
    check((await row(modal).getByRole('button').innerText()) === 'Connect', 'the modal lists the wallet as installed');
    await page.keyboard.press('Escape');
  });
  check(cancelled.code === -31001, 'a dismissed modal is a cancel', cancelled);
  await page.reload();
  await page.waitForFunction('window.dapp');

  const refused = await connectBy(page, modal => row(modal).getByRole('button').click());
  check(refused.code === -32000, 'a refusal in the terminal rejects', refused);
  check(!(await run(page, 'isConnected')), 'a refusal connects nothing');

  const connected = await connectBy(page, modal => row(modal).getByRole('button').click());
  check(connected.result?.addresses?.length === 3, 'connect answers three addresses', connected);
  check(await run(page, 'isConnected'), 'the page is connected');
  check((await run(page, 'selected')) === 'ChainscopeProvider', 'the wallet is remembered');

  for (const method of await page.evaluate(() => window.dapp.methods)) {
    const answer = await run(page, 'request', method);
    check(answer.result, `${method} is answered`, answer);
    const coins = method === 'sendTransfer' ? JSON.parse(process.env.COINS) : undefined;
    const verified = await page.evaluate(([m, r, c]) => window.dapp.verify(m, r, c), [method, answer.result, coins]);
    if (verified) check(true, `${method} is verified in the page`);
  }

  const wrong = await run(page, 'send', 'stx_transferStx', { recipient: 'nobody', amount: '1' });
  check(wrong.code === -32602 && wrong.message.includes('recipient'), 'wrong params are named', wrong);
  const unknown = await run(page, 'send', 'stx_noSuchMethod', {});
  check(unknown.code === -32601, 'an unknown method is refused', unknown);
  const rejected = await run(page, 'send', 'stx_signMessage', { message: 'please refuse this' });
  check(rejected.code === -32000, 'a rejected request rejects', rejected);

  await page.reload();
  await page.waitForFunction('window.dapp');
  check(await run(page, 'isConnected'), 'a reload keeps the connection');

  const second = await open();
  const both = await Promise.all([run(page, 'request', 'stx_signMessage'), run(second, 'request', 'stx_signMessage')]);
  check(both.every(o => o.result?.signature), 'two tabs are answered at once', both);

  if (process.env.AT_HOME) {
    const home = await page.evaluate(async () => {
      const xhr = () => new Promise(done => {
        const request = new XMLHttpRequest();
        request.open('GET', 'https://api.hiro.so/v2/pox');
        request.onloadend = () => done(request.responseText);
        request.send();
      });
      const asked = new Request('https://api.hiro.so/v2/fees/transaction', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
      const socket = new WebSocket('wss://api.hiro.so/extended/v1/ws');
      await new Promise(done => { socket.onopen = done; socket.onerror = done; });
      const left = await fetch('https://faraway.invalid/x').then(() => 'answered', () => 'failed');
      return {
        info: await (await fetch('https://api.hiro.so/v2/info')).json(),
        pox: await xhr(), estimate: (await fetch(asked)).status, socket: socket.url, left,
      };
    });
    check(home.info.server_version?.includes('mock'), 'fetch of a public API stays at home', home.info);
    check(home.pox.includes('pox-4'), 'XMLHttpRequest of a public API stays at home', home.pox);
    check(home.estimate === 400, 'a Request keeps its method and body', home.estimate);
    check(home.socket.startsWith('ws://127.0.0.1:'), 'a WebSocket of a public API stays at home', home.socket);
    check(home.left === 'failed', 'another host is asked as the page wanted', home.left);
    const workers = await page.evaluate(async proxied => {
      const said = worker => new Promise(done => {
        worker.onmessage = ({ data }) => done(data);
        worker.onerror = ({ message }) => done(`failed: ${message}`);
      });
      const blob = (source, options) => {
        const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
        const worker = new Worker(url, options);
        URL.revokeObjectURL(url); // as libraries do
        return said(worker);
      };
      const ask = `fetch('https://api.hiro.so/v2/info').then(answer => answer.json()).then(info => postMessage(info.server_version), error => postMessage('failed: ' + error))`;
      const inner = `const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(ask)}], { type: 'text/javascript' }))); worker.onmessage = ({ data }) => postMessage(data);`;
      const out = { blob: await blob(ask), module: await blob(ask, { type: 'module' }), nested: await blob(inner) };
      if (!proxied) return { ...out, quiet: await said(new Worker('/worker.js?quiet')) };
      return { ...out, loaded: await said(new Worker('/worker.js')), loadedModule: await said(new Worker('/worker.js', { type: 'module' })) };
    }, mode === 'proxy');
    for (const [kind, version] of Object.entries(workers)) {
      check(kind === 'quiet' ? version === 'quiet' : version.includes('mock'), `a worker (${kind}) stays at home`, version);
    }
  }

  await run(page, 'disconnect');
  check(!(await run(page, 'isConnected')), 'disconnect ends the connection');

  const again = await connectBy(page, modal => row(modal).getByRole('button').click());
  check(again.result, 'connecting again works', again);
  const sent = page.waitForRequest(request => (request.postData() ?? '').includes('a slow answer'));
  const slow = run(page, 'send', 'stx_signMessage', { message: 'a slow answer' });
  await sent; // however long a busy machine takes for it
  await new Promise(wait => setTimeout(wait, 1000));
  await tell('quit');
  const lost = await slow;
  check(lost.code === -32603 && lost.message.includes('cannot be reached'), 'a terminal that quits is told in words', lost);
  console.log(`${checks} checks`);
} finally {
  await browser.close();
}
process.exit(0);
