import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explain, words } from '../src/explain.js';

const account = { index: 0, address: 'ST1' };
const network = { name: 'testnet' };
const transfer = amount => ({
  method: 'stx_transferStx', account, network, warnings: [],
  transfer: { recipient: 'ST2', amount, memo: 'rent' },
  transaction: { nonce: '3', fee: '180', postConditionMode: 'deny', postConditions: [] },
});

test('an approval is told in words, with exact amounts', () => {
  assert.equal(words(transfer('1500000')), 'send 1.5 STX (1500000 micro-STX) to ST2, memo "rent"\n' +
    'account 0 (ST1), testnet, fee 0.00018 STX (180 micro-STX), nonce 3, post-conditions: 0, mode deny');
  assert.equal(words(transfer('18446744073709551615')).split('\n')[0], 'send 18446744073709.551615 STX (18446744073709551615 micro-STX) to ST2, memo "rent"');
  assert.equal(words(null), '');
  assert.equal(words({ account, network, bitcoin: { outputs: [{ amount: 1000, address: 'tb1' }, { amount: 5, change: true }], fee: 12 } }).split('\n')[0],
    'sign a Bitcoin transaction: 0.00001 BTC (1000 satoshis) to tb1, fee 0.00000012 BTC (12 satoshis)');
});

test('texts of a page cannot act on the terminal', () => {
  const told = words({ account, network, message: { text: 'hi\u001b[2J\u202e' }, warnings: [{ text: 'a\nb' }] });
  assert.equal(told, 'sign the message "hi\\u{1b}[2J\\u{202e}"\naccount 0 (ST1), testnet\nwarning: a\\u{a}b');
});

test('what did not come is told beside what came in its place', () => {
  const rules = [{ rule: 1, expect: 'stx_transferStx', with: { amount: '1500000' } }, { rule: 2, expect: 'signPsbt' }];
  const calls = [{ n: 1, origin: 'http://a', method: 'stx_transferStx', params: { amount: '1500001' }, shown: transfer('1500001'), answer: {} }];
  const why = ['amount: want "1500000", got "1500001"'];
  const verdict = {
    ok: false,
    missing: [
      { rule: 1, expect: 'stx_transferStx', came: 0, times: 1, nearest: { n: 1, why } },
      { rule: 2, expect: 'signPsbt', came: 1, times: 2, nearest: null },
    ],
    unexpected: [{ n: 1, method: 'stx_transferStx', origin: 'http://a', nearest: { rule: 1, why } }],
  };
  assert.equal(explain(verdict, rules, calls), `expected, and did not come: stx_transferStx
  expected  {"amount":"1500000"}
  came      call 1 of http://a: {"amount":"1500001"}
  approval  send 1.500001 STX (1500001 micro-STX) to ST2, memo "rent"
            account 0 (ST1), testnet, fee 0.00018 STX (180 micro-STX), nonce 3, post-conditions: 0, mode deny
  differs   amount: want "1500000", got "1500001"

expected, and did not come: signPsbt (1 of 2 came)
  expected  any params
  came      nothing like it; there were stx_transferStx`);
  assert.equal(explain({ ok: true, missing: [], unexpected: [] }, [], []), '');
});

test('an unexpected call is told with the rule that comes nearest, or with none', () => {
  const call = { n: 4, origin: 'http://a', method: 'stx_signMessage', params: null, shown: null, answer: { error: { code: -32602, message: 'message is missing' } } };
  const unexpected = nearest => ({ ok: false, missing: [], unexpected: [{ n: 4, method: 'stx_signMessage', origin: 'http://a', nearest }] });
  assert.equal(explain(unexpected(null), [], [call]), `came unexpected: stx_signMessage
  came      call 4 of http://a: no params
  answer    -32602 message is missing
  expected  no call at all`);
  assert.match(explain(unexpected({ rule: 1, why: ['times: it answered 1 of 1 already'] }), [{ rule: 1, expect: 'stx_signMessage' }], [call]),
    /nearest is rule 1: stx_signMessage with no params\n  differs   times: it answered 1 of 1 already$/);
});
