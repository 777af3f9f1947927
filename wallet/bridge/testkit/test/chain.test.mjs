import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { Session } from '../index.js';

// These start the program, as binary.js finds it.
let session;
before(async () => { session = await Session.start({ network: 'testnet' }); });
beforeEach(async () => { await session.begin(); });
after(async () => { await session.close(); });

const fund = 'ST000000000000000000002AMW42H.fund';
const gold = 'ST000000000000000000002AMW42H.gold::gold';
const pledge = { contract: fund, functionName: 'pledge', functionArgs: ['0x0100000000000000000000000000000005'] };

async function read(route, body) {
  const answer = await fetch(`${session.chain.url}${route}`, body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return answer.json();
}

test('a contract is described in one object, with what its calls move', async () => {
  const { chain, wallet } = session;
  await chain.contract(fund, {
    reads: { 'get-goal': 'u100', 'get-pledge': [{ args: ['u1'], result: '(some u7)' }, 'none'] },
    calls: {
      pledge: {
        result: '(ok $1)', prints: ['{event: "pledge", by: $sender}'],
        moves: [{ asset: 'STX', from: 'sender', to: 'contract', amount: '$1' }, { asset: gold, to: 'sender', amount: 'u3' }],
        sets: { vars: { raised: '$1' }, maps: [{ name: 'pledges', key: '$sender', value: '$1' }] },
      },
      refund: '(err u404)',
    },
    vars: { raised: 'u0' },
    maps: { pledges: { key: 'u0', value: 'u9' } },
  });
  const sender = await wallet.address();
  const ask = (fn, args) => read(`/v2/contracts/call-read/${fund.replace('.', '/')}/${fn}`, { sender, arguments: args });
  const uint = n => `01${n.toString(16).padStart(32, '0')}`;
  assert.equal((await ask('get-goal', [])).result, `0x${uint(100)}`);
  assert.equal((await ask('get-pledge', [`0x${uint(1)}`])).result, `0x0a${uint(7)}`);
  assert.equal((await ask('get-pledge', [`0x${uint(2)}`])).result, '0x09');
  assert.equal((await read(`/v2/map_entry/${fund.replace('.', '/')}/pledges?proof=0`, `0x${uint(0)}`)).data, `0x0a${uint(9)}`);

  wallet.expect('stx_callContract').times(2).approve();
  const before = BigInt((await read(`/v2/accounts/${sender}?proof=0`)).balance);
  const { txid } = await wallet.request('stx_callContract', { ...pledge, postConditionMode: 'allow', postConditions: [] });
  const tx = await read(`/extended/v1/tx/0x${txid}`);
  assert.equal(tx.tx_status, 'success');
  assert.deepEqual(tx.events.map(event => event.event_type), ['stx_asset', 'fungible_token_asset', 'smart_contract_log']);
  const { fungible_tokens: tokens, stx } = await read(`/extended/v1/address/${sender}/balances`);
  assert.equal(tokens[gold].balance, '3');
  assert.equal(BigInt(stx.balance), before - 5n - BigInt(tx.fee_rate));
  assert.equal((await read(`/v2/data_var/${fund.replace('.', '/')}/raised?proof=0`)).data, `0x${uint(5)}`);

  await wallet.request('stx_callContract', { contract: fund, functionName: 'refund', functionArgs: [] });
  const { ok, aborted } = await session.verdict();
  assert.equal(ok, true, 'it may be what is tested');
  assert.match(aborted, /^did not succeed: stx_callContract, abort_by_response\n  sent      call 2: call ST0+2AMW42H\.fund::refund\(\)\n  why       refund answered \(err u404\)\./);
});

test('an account is given STX and tokens', async () => {
  const { chain } = session;
  const address = 'ST2JHG361ZXG51QTKY2NQCVBPPRRE2KZB1HR05NNC';
  await chain.fund(address, { stx: 12n, tokens: { [gold]: 34 } });
  const { stx, fungible_tokens: tokens } = await read(`/extended/v1/address/${address}/balances`);
  assert.deepEqual([stx.balance, tokens[gold].balance], ['12', '34']);
  await chain.fund(address, { tokens: { [gold]: '5' } });
  assert.equal((await read(`/extended/v1/address/${address}/balances`)).stx.balance, '12', 'it keeps what is not named');
  assert.equal((await chain.fund(address, 7)).balance, '7');
  await assert.rejects(chain.fund(address, { stx: 1, gold: 2 }), { message: 'chain.fund takes stx and tokens, not gold' });
  await assert.rejects(chain.fund(address, { tokens: { gold: 1 } }), /"gold" is no asset/);
});

test('transactions are held, dropped and released', async () => {
  const { chain, wallet } = session;
  wallet.expect('stx_transferStx').times(5).approve();
  const send = async () => (await wallet.request('stx_transferStx', { recipient: 'ST000000000000000000002AMW42H', amount: '5' })).txid;
  const statuses = async ids => Promise.all(ids.map(async id => (await read(`/extended/v1/tx/0x${id}`)).tx_status));
  await chain.hold();
  const ids = [await send(), await send(), await send(), await send()];
  await chain.mine(2);
  assert.deepEqual(await statuses(ids), ['pending', 'pending', 'pending', 'pending'], 'nothing is mined meanwhile');
  await chain.drop(ids[3]);
  await chain.drop(`0x${ids[1]}`, 'too_expensive');
  await assert.rejects(chain.drop(ids[1]), /waits in the mempool/);
  await assert.rejects(chain.drop(ids[2], 'bored'), /body\/reason must be one of/);
  const before = (await chain.mine(1)).height;
  assert.equal((await chain.release()).height, before + 1);
  assert.deepEqual(await statuses(ids), ['success', 'dropped_too_expensive', 'pending', 'dropped_stale_garbage_collect'], 'the third has a gap before it');
  await chain.hold();
  await session.begin();
  wallet.expect('stx_transferStx').approve();
  assert.deepEqual(await statuses([await send()]), ['success'], 'the next test begins without it');
});

test('a transaction that a post-condition stops says which and what would allow it', async () => {
  const { chain, wallet } = session;
  await chain.contract(fund, { calls: { pledge: { result: '(ok true)', moves: [{ asset: 'STX', from: 'sender', to: 'contract', amount: '$1' }] } } });
  wallet.expect('stx_callContract').approve();
  const sender = await wallet.address();
  await wallet.request('stx_callContract', {
    ...pledge, postConditionMode: 'deny', postConditions: [{ type: 'stx-postcondition', address: sender, condition: 'lte', amount: '4' }],
  });
  const { aborted } = await session.verdict();
  assert.match(aborted, new RegExp(`^did not succeed: stx_callContract, abort_by_post_condition
  sent      call 1: call ${fund}::pledge\\(u5\\)
  why       ${sender} sent 0\\.000005 STX, but a post-condition wants at most 0\\.000004 STX\\.
  condition ${sender} sends at most 0\\.000004 STX
  fix       require instead that ${sender} sends exactly 0\\.000005 STX, or send what it requires
  txid      [0-9a-f]{64}$`));
});

test('a call that the chain refuses because it is not described says how to', async () => {
  const { wallet } = session;
  wallet.expect('stx_callContract').approve();
  await assert.rejects(wallet.request('stx_callContract', pledge), { code: -32603 });
  const { refused } = await session.verdict();
  assert.match(refused, /fix +say what it does with chain\.contract\('ST0+2AMW42H\.fund', \{ calls: \{ 'pledge': '\(ok true\)' \} \}\), or .*--mock-any-contract/);
});

test('what was requested and is not described is a file, with which everything is answered', async t => {
  const { wallet } = session;
  const folder = mkdtempSync(join(tmpdir(), 'chainscope-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const goal = `/v2/contracts/call-read/${fund.replace('.', '/')}/get-goal`;
  const ask = () => read(goal, { sender: 'ST000000000000000000002AMW42H', arguments: [] });
  wallet.expect('stx_callContract').approve();
  assert.match((await ask()).cause, /NoSuchContract/);
  await assert.rejects(wallet.request('stx_callContract', pledge), { code: -32603 });
  const { undescribed } = await session.verdict();
  assert.match(undescribed, /^# What was requested and is not described.*\n- contract: ST0+2AMW42H\.fund\n  reads:\n    get-goal: .*\n  calls:\n    pledge: /);
  await session.begin();
  assert.equal((await session.verdict()).undescribed, '', 'the next test begins without');

  const file = join(folder, 'contracts.yaml');
  writeFileSync(file, undescribed);
  const described = await Session.start({ network: 'testnet', args: ['--mock-contracts', file] });
  t.after(() => described.close());
  await described.begin();
  described.wallet.expect('stx_callContract').approve();
  assert.match((await described.wallet.request('stx_callContract', pledge)).txid, /^[0-9a-f]{64}$/);
  assert.equal((await described.verdict()).undescribed, '');
});
