import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failures } from '../src/outcomes.js';

const calls = [{ n: 1, method: 'stx_callContract', answer: { result: { txid: 'ab' } } }];
const why = { status: 'abort_by_response', sentence: 'split failed', certainty: 'fact' };
const tree = {
  trace: [{
    contract: 'ST1.market', function: 'split', arguments: ['u0'], result: null, error: 'DivisionByZero',
    calls: [
      { contract: 'ST2.coin', function: 'mint', arguments: ['u5', '"a\u001b[31m"'], result: '(ok true)', calls: [] },
      { contract: 'ST1.market', function: 'share', arguments: ['u1', 'u0'], result: null, error: 'DivisionByZero', calls: [] },
    ],
  }],
};
const chain = answers => ({ mock: async (_, path) => answers[path] ?? Promise.reject(new Error(path)) });

test('a transaction that failed has what it called, where contracts run', async () => {
  const told = await failures(chain({ 'tx/ab/why': why, 'transactions/ab/trace': tree }), calls);
  assert.equal(told.split('\n').slice(4).join('\n'), [
    '  called    market.split(u0)  failed',
    '              coin.mint(u5, "a\\u{1b}[31m")  (ok true)',
    '              market.share(u1, u0)  failed',
  ].join('\n'));
  assert.equal(told.split('\n').length, 7);
});

test('without a virtual machine there is the reason alone, and of success nothing', async () => {
  const told = await failures(chain({ 'tx/ab/why': why }), calls);
  assert.equal(told.split('\n').length, 4);
  assert.doesNotMatch(told, /called/);
  assert.equal(await failures(chain({ 'tx/ab/why': { status: 'success' }, 'transactions/ab/trace': tree }), calls), '');
});
