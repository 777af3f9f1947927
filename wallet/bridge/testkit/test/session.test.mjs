import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Session } from '../index.js';

// These start the program, as binary.js finds it.
let session;
before(async () => { session = await Session.start(); });
after(async () => { await session.close(); });

test('another wallet has the account and the network of the one before', async () => {
  await session.begin();
  await session.wallet.switchAccount(2);
  await session.wallet.switchNetwork('testnet');
  const address = await session.wallet.address();
  await session.wallet.as('xverse');
  assert.equal(await session.wallet.address(), address);
  await session.wallet.switchAccount(1);
  await session.wallet.as('chainscope');
  assert.notEqual(await session.wallet.address(), address);
  await session.begin();
  assert.match(await session.wallet.address(), /^SP/, 'the next test begins as the first');
});

test('a call that is waited for when the test ends is said to be missing', async () => {
  await session.begin();
  const call = session.wallet.nextCall('stx_transferStx', { timeout: 60_000 });
  session.wallet.nextCall('nobody waits for this');
  await session.wallet.calls(); // it has begun to wait
  await session.begin();
  await assert.rejects(call, { message: 'no call of stx_transferStx came before the test ended' });
});

test('a call that the test approves and the wallet refuses is told', async () => {
  await session.begin();
  session.wallet.expect('stx_transferStx').approve();
  session.wallet.expect('stx_signMessage').fail(-32602, 'as the test says');
  await assert.rejects(session.wallet.request('stx_transferStx', { amount: 'x' }), { code: -32602 });
  await assert.rejects(session.wallet.request('stx_signMessage', {}), { code: -32602 });
  const { ok, refused } = await session.verdict();
  assert.equal(ok, true);
  assert.equal(refused, `approved by the test, and refused by the wallet: stx_transferStx
  came      call 1 of http://localhost:3000: {"amount":"x"}
  answer    -32602 recipient: is missing, must be a string`);
});
