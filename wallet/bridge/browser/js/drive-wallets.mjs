// Drives the apps of wallets.js in a real browser, for each wallet at its own bridge:
// drive-wallets.mjs CHROMIUM DAPP WALLET=BRIDGE… Prints what it checked.
import { chromium } from 'playwright-core';

const [chromiumPath, dapp, ...bridges] = process.argv.slice(2);
let checks = 0;

function check(condition, what, got) {
  if (!condition) throw new Error(`${what}: ${JSON.stringify(got)}`);
  checks++;
  console.log(`ok ${what}`);
}

const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });

async function play(wallet, bridge) {
  const page = await (await browser.newContext()).newPage();
  page.on('pageerror', error => console.log(`pageerror ${error.message}`));
  const ready = () => page.waitForFunction('window.wallets', null, { timeout: 120000 });
  const run = (name, ...given) => page.evaluate(([f, args]) => window.wallets[f](...args), [name, given]);
  const reload = async () => { await page.reload(); await ready(); };
  const listening = async () => {
    const opened = page.waitForResponse(answer => answer.url().endsWith('/events'));
    await run('listen', wallet);
    await opened;
  };
  const turn = async (what, value) => {
    const answer = await fetch(`${bridge}/.chainscope/control/${what}`, { method: 'POST', body: JSON.stringify({ [what]: value }) });
    if (!answer.ok) throw new Error(await answer.text());
  };
  const addresses = async () => {
    const method = wallet === 'leather' ? 'getAddresses' : 'wallet_getAccount';
    const answer = await run('ask', wallet, method, wallet === 'leather' ? {} : null);
    return answer.result ? answer.result.addresses.map(entry => entry.address).join() : answer;
  };
  await page.goto(`${dapp}wallets.html?bridge=${encodeURIComponent(bridge)}`);
  await ready();

  for (const method of await run('methods', wallet)) {
    const answer = await run('call', wallet, method);
    check('result' in answer, `${wallet} answers ${method} as its library wants it`, answer);
  }
  for (const name of await page.evaluate(() => window.wallets.functions)) {
    const answer = await run('run', wallet, name);
    check(answer.result?.signed || answer.result?.chain === 1, `${wallet} signs ${name} for an object of @stacks/network 6`, answer);
    if (name === 'openContractCall') check(answer.result.args.join() === await page.evaluate(() => window.wallets.value), `${wallet} signs the arguments of the call`, answer);
  }
  const old = await run('old', wallet, 'authenticationRequest');
  check(old.message.includes('@stacks/connect 8; this page uses version 7 (authenticationRequest)'), `${wallet} tells a page of @stacks/connect 7 what is not spoken`, old);
  if (wallet === 'xverse') {
    const callbacks = await run('callbacks');
    check(callbacks.message === 'cancelled', 'a callback of sats-connect is cancelled', callbacks);
    const signs = await run('old', wallet, 'signMessage');
    check(signs.message.includes('sats-connect 4; this page uses the callbacks of version 1 (signMessage)'), 'a page of sats-connect 1 is told in words', signs);
  }

  // The person switches account and network, and the page is loaded again.
  const listens = wallet !== 'leather';
  if (listens) await listening();
  const connecting = () => (listens ? run('ask', wallet, 'wallet_connect', null) : undefined);
  await connecting();
  let before = await addresses();
  for (const [what, value, event] of [['account', 1, 'accountChange'], ['network', 'testnet', 'networkChange']]) {
    await turn(what, value);
    if (listens) {
      await page.waitForFunction(name => window.heard.includes(name), event);
      const denied = await addresses();
      check(denied.code === -32002, `${wallet} asks to connect again after another ${what}`, denied);
      await connecting();
    }
    const after = await addresses();
    check(typeof after === 'string' && after !== before, `${wallet} gives the addresses of the other ${what}`, after);
    await reload();
    check((await addresses()) === after, `${wallet} is still connected after a reload`, after);
    if (listens) await listening();
    before = after;
  }
}

try {
  for (const each of bridges) {
    const [wallet, bridge] = each.split('=');
    await play(wallet, bridge);
  }
  console.log(`${checks} checks`);
} finally {
  await browser.close();
}
process.exit(0);
