// Runs copied JavaScript in a page of each wallet at its own bridge:
// drive-snippets.mjs CHROMIUM DAPP WALLET=BRIDGE… Prints what it checked.
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { chromium } from 'playwright-core';

const [chromiumPath, dapp, ...bridges] = process.argv.slice(2);
let checks = 0;
const wrong = [];
const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
try {
  for (const each of bridges) {
    const [wallet, bridge] = each.split('=');
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${dapp}wallets.html?bridge=${encodeURIComponent(bridge)}`);
    await page.waitForFunction('window.wallets', null, { timeout: 120000 });
    for (const { file, want } of JSON.parse(readFileSync(`${wallet}.json`))) {
      const got = await page.evaluate(async name => {
        try {
          const { result } = await import(name);
          return 'result' in result || result.error ? result.error ?? result.result : result;
        } catch (error) {
          return error.message ?? error;
        }
      }, `/${file}`);
      if (isDeepStrictEqual(got, want)) checks++;
      else wrong.push(`${file} gets ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
    }
  }
  if (wrong.length) throw new Error(wrong.join('\n'));
  console.log(`${checks} checks`);
} finally {
  await browser.close();
}
process.exit(0);
