// Twenty-five tests, each of which changes the chain and the wallet in every way and
// fails if it sees anything of another.
import { expect, test } from 'chainscope/playwright';

const contract = 'ST000000000000000000002AMW42H.counter';

for (let n = 1; n <= 25; n++) {
  test(`pays ${n}`, async ({ page, wallet, chain }) => {
    const amount = String(1_500_000 + n);
    expect(await wallet.calls()).toEqual([]);
    const first = await wallet.address();
    const begun = await chain.mine(1);
    expect(begun.height).toBe(1_000_001);

    wallet.expect('getAddresses').approve();
    wallet.expect('stx_transferStx', { amount }).approve();
    await page.goto(`/?amount=${amount}`);
    await page.click('#connect');
    await expect(page.locator('#account')).toHaveText(first);

    const before = await chain.snapshot();
    await page.click('#pay');
    await expect(page.locator('#paid')).toHaveText(/^[0-9a-f]{64}$/);
    const paid = await page.locator('#paid').textContent();
    const call = await wallet.nextCall('stx_transferStx');
    expect(call.shown.transaction.nonce).toBe('0');
    expect(call.words).toContain(`(${amount} micro-STX)`);
    await page.click('#status');
    await expect(page.locator('#state')).toHaveText('success');

    await chain.reorg(1); // what the block carried waits again
    await page.click('#status');
    await expect(page.locator('#state')).toHaveText('pending');
    await chain.advance('3h');
    await page.click('#status');
    await expect(page.locator('#state')).toHaveText('success');

    await chain.revert(before);
    await page.click('#status');
    await expect(page.locator('#state')).toHaveText('');
    wallet.expect('stx_transferStx', { amount: Number(amount) }).approve();
    await page.click('#pay');
    await expect(page.locator('#paid')).toHaveText(paid); // new again, and the same

    await wallet.switchAccount(1);
    await expect(page.locator('#account')).not.toHaveText(first);
    expect(await page.locator('#account').textContent()).toBe(await wallet.address());
    await chain.fund(await wallet.address(), n);
    await page.click('#look');
    await expect(page.locator('#balance')).toHaveText(String(n));
    await chain.fund(await wallet.address(), 10_000_000);
    wallet.expect('stx_transferStx').reject();
    await page.click('#pay');
    await expect(page.locator('#paid')).toHaveText(/^failed: -32000/);

    await chain.read(contract, 'get-count', `(ok u${n})`);
    await page.click('#count');
    await expect(page.locator('#counter')).toHaveText(`0x0701${n.toString(16).padStart(32, '0')}`);
  });
}
