// A dapp whose contract runs: it is deployed, called with post-conditions, fails once, is taken back, and
// succeeds. The second test has the same virtual machine, and begins where the first one began.
import { readFileSync } from 'node:fs';
import { expect, test } from 'chainscope/playwright';

const { ENGINE, VAULT } = process.env;
test.use({ clarity: true, chainscope: { network: 'testnet', origins: [new URL(VAULT).origin], args: ['--mock-clarity-engine', `node ${ENGINE}`] } });
test.describe.configure({ mode: 'serial' });

const clarityCode = `
(define-map held principal uint)
(define-read-only (of (who principal)) (default-to u0 (map-get? held who)))
(define-public (deposit (amount uint))
  (begin
    (try! (stx-transfer? amount tx-sender current-contract))
    (map-set held tx-sender (+ amount (of tx-sender)))
    (print {deposited: amount})
    (ok (of tx-sender))))`;

for (const turn of ['first', 'later']) {
  test(`the vault, ${turn}`, async ({ page, wallet, chain }) => {
    const account = await wallet.address();
    const contract = `${account}.vault`;
    await page.goto(`${VAULT}?contract=${contract}`);
    let last = performance.now();
    const took = () => Math.round(-last + (last = performance.now()));
    wallet.expect('stx_deployContract', { name: 'vault' }).approve();
    await wallet.request('stx_deployContract', { name: 'vault', clarityCode });
    wallet.expect('getAddresses').approve();
    await page.click('#connect');
    await page.locator('connect-modal li', { hasText: 'chainscope' }).getByRole('button').click();
    await expect(page.locator('#account')).toHaveText(account);
    const deployed = await chain.snapshot();

    const deposit = wallet.expect('stx_callContract', { contract, functionName: 'deposit' });
    deposit.approve();
    await page.click('#deposit');
    await expect(page.locator('#ended')).toHaveText('success (ok u2000000)');
    await page.click('#look');
    await expect(page.locator('#held')).toHaveText('2000000 micro-STX');
    const call = took();

    wallet.expect('stx_callContract', { functionArgs: ['u5000000'] }).approve();
    await page.click('#mistake');
    await expect(page.locator('#ended')).toHaveText('abort_by_post_condition (ok u7000000)');
    await page.click('#look');
    await expect(page.locator('#held')).toHaveText('2000000 micro-STX');
    const mistake = took();

    await chain.revert(deployed);
    await page.click('#look');
    await expect(page.locator('#held')).toHaveText('0 micro-STX');
    const revert = took();

    wallet.expect('stx_callContract', { functionArgs: ['u2000000'] }).approve();
    await page.click('#deposit');
    await expect(page.locator('#ended')).toHaveText('success (ok u2000000)');
    await chain.advance('3h');
    await page.click('#look');
    await expect(page.locator('#held')).toHaveText('2000000 micro-STX');
    console.log(`the vault, ${turn}: deploy, connect, call and look ${call} ms, a mistake ${mistake}, revert and look ${revert}, another call and three hours ${took()} ms`);
  });
}
