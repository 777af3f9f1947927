// Writes transactions.json: one signed transaction for each row of the table of how
// transactions end. What each is expected to do stands in outcometable_test.go.
//
//     npm install && node make.mjs
import { writeFileSync } from 'node:fs';
import {
  Cl, TransactionSigner, createLPList, getAddressFromPrivateKey, makeContractCall, makeContractDeploy,
  makeSTXTokenTransfer, makeUnsignedSTXTokenTransfer, postConditionToWire, privateKeyToPublic, sponsorTransaction,
} from '@stacks/transactions';

const network = 'mainnet';
const keys = { alice: '11'.repeat(32) + '01', bob: '22'.repeat(32) + '01', carol: '33'.repeat(32) + '01' };
const accounts = Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, getAddressFromPrivateKey(key, network)]));
const { alice, bob, carol } = accounts;
const desk = `${carol}.desk`;
const coin = `${desk}::coin`;
const stamp = `${desk}::stamp`;
const usda = 'SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token';
const lights = 'SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights';

const rows = {};
const add = (name, transaction) => {
  if (rows[name]) throw new Error(`two rows are called ${name}`);
  rows[name] = transaction.serialize();
};
const base = { senderKey: keys.alice, network, fee: 3000, nonce: 1 };
const allow = { postConditionMode: 'allow' };
const call = (contract, functionName, functionArgs = [], more = {}) => {
  const [contractAddress, contractName] = contract.split('.');
  return makeContractCall({ ...base, ...allow, contractAddress, contractName, functionName, functionArgs, validateWithAbi: false, ...more });
};
const deploy = (contractName, codeBody, more = {}) => makeContractDeploy({ ...base, ...allow, contractName, codeBody, clarityVersion: 3, ...more });
const transfer = (recipient, amount, more = {}) => makeSTXTokenTransfer({ ...base, recipient, amount, ...more });
const u = Cl.uint;

// Conditions. The origin is alice.
const stx = (condition, amount, address = 'origin') => ({ type: 'stx-postcondition', address, condition, amount });
const ft = (condition, amount, address = 'origin', asset = coin) => ({ type: 'ft-postcondition', address, condition, asset, amount });
const nft = (condition, id, address = 'origin') => ({ type: 'nft-postcondition', address, condition, asset: stamp, assetId: u(id) });
const stake = (condition, amount) => ({ type: 'staking-postcondition', address: 'origin', condition, amount });
const pox = condition => ({ type: 'pox-postcondition', address: 'origin', condition });
const under = (postConditionMode, ...postConditions) => ({ postConditionMode, postConditions });

// What is there before the rows: a contract that waits is none.
add('setup', await deploy('own', '(define-public (go (n uint)) (ok n))\n(define-read-only (look) u1)\n(define-private (hide) u1)', { nonce: 0 }));

// 1. At the door.
add('door: no such contract', await call(`${bob}.none`, 'go'));
add('door: a contract that waits', await call(`${bob}.waits`, 'go'));
add('door: the deploy that waits', await deploy('waits', '(define-public (go) (ok true))', { senderKey: keys.bob, nonce: 0 }));
add('door: no such function', await call(`${alice}.own`, 'none'));
add('door: a read-only function', await call(`${alice}.own`, 'look'));
add('door: a private function', await call(`${alice}.own`, 'hide'));
add('door: too few arguments', await call(`${alice}.own`, 'go'));
add('door: too many arguments', await call(`${alice}.own`, 'go', [u(1), u(2)]));
add('door: arguments of another type', await call(`${alice}.own`, 'go', [Cl.int(1)]));
add('door: a contract that is there', await deploy('own', '(ok true)'));
add('door: to oneself', await transfer(alice, 5));
add('door: nothing', await transfer(bob, 0));
add('door: more than the balance', await transfer(bob, 999_999_999_999n));
// Alice has 1,000,000 STX but for the fee of the setup.
add('door: more than the fee leaves', await transfer(bob, 999_999_994_001n));
add('door: all that the fee leaves', await transfer(bob, 999_999_994_000n));
const conditioned = await makeUnsignedSTXTokenTransfer({ ...base, recipient: bob, amount: 5, publicKey: privateKeyToPublic(keys.alice) });
conditioned.postConditions = createLPList([postConditionToWire(stx('eq', 5))]);
new TransactionSigner(conditioned).signOrigin(keys.alice);
add('door: a transfer with conditions', conditioned);
add('door: what is right', await call(`${alice}.own`, 'go', [u(1)]));

// 2. Conditions on STX: pay sends 5 of alice.
const pay = more => call(desk, 'pay', [u(5)], more);
for (const [code, holds, breaks] of [['eq', 5, 4], ['gt', 4, 5], ['gte', 5, 6], ['lt', 6, 5], ['lte', 5, 4]]) {
  add(`stx: ${code} holds`, await pay(under('deny', stx(code, holds))));
  add(`stx: ${code} breaks`, await pay(under('deny', stx(code, breaks))));
  add(`stx: ${code} breaks in allow mode`, await pay(under('allow', stx(code, breaks))));
  add(`ft: ${code} holds`, await call(desk, 'send', [u(5)], under('deny', ft(code, holds))));
  add(`ft: ${code} breaks`, await call(desk, 'send', [u(5)], under('deny', ft(code, breaks))));
}
add('stx: uncovered in deny mode', await pay(under('deny')));
add('stx: uncovered in originator mode', await pay(under('originator')));
add('stx: uncovered in allow mode', await pay(under('allow')));
add('stx: of the origin by its address', await pay(under('deny', stx('eq', 5, alice))));
add('stx: of another', await pay(under('allow', stx('eq', 5, bob))));
add('stx: of another covers nothing of the sender', await pay(under('deny', stx('gte', 0, bob))));
add('stx: nothing sent', await call(desk, 'nothing', [], under('allow', stx('eq', 5))));
add('stx: the first that fails', await pay(under('allow', stx('eq', 5), ft('eq', 1), stx('eq', 9))));
add('stx: burned is sent', await call(desk, 'burn', [u(5)], under('deny', stx('eq', 5))));
add('stx: burned and uncovered', await call(desk, 'burn', [u(5)], under('deny')));
add('stx: of a contract', await call(desk, 'pay-out', [u(5)], under('deny', stx('eq', 5, desk))));
add('stx: of a contract, uncovered in deny mode', await call(desk, 'pay-out', [u(5)], under('deny')));
add('stx: of a contract, uncovered in originator mode', await call(desk, 'pay-out', [u(5)], under('originator')));
add('ft: uncovered in deny mode', await call(desk, 'send', [u(5)], under('deny', stx('lte', 5))));
add('ft: uncovered in originator mode', await call(desk, 'send', [u(5)], under('originator')));
add('ft: another asset of the contract', await call(desk, 'send', [u(5)], under('deny', ft('lte', 5, 'origin', `${desk}::other`))));
add('ft: minted is not sent', await call(desk, 'mint', [u(5)], under('deny')));
add('ft: covered whatever the amount', await call(desk, 'send', [u(5)], under('deny', ft('gte', 0))));
add('ft: of another covers nothing of the sender', await call(desk, 'send', [u(5)], under('deny', ft('gte', 0, bob))));
const give = more => call(desk, 'give', [u(1)], more);
add('nft: sent holds', await give(under('deny', nft('sent', 1))));
add('nft: sent breaks', await call(desk, 'nothing', [], under('allow', nft('sent', 1))));
add('nft: not-sent holds', await call(desk, 'nothing', [], under('deny', nft('not-sent', 1))));
add('nft: not-sent breaks', await give(under('allow', nft('not-sent', 1))));
add('nft: maybe-sent holds where it goes', await give(under('deny', nft('maybe-sent', 1))));
add('nft: maybe-sent holds where it stays', await call(desk, 'nothing', [], under('deny', nft('maybe-sent', 1))));
add('nft: no condition on the asset', await give(under('deny')));
add('nft: no condition in originator mode', await give(under('originator')));
add('nft: covered one by one', await call(desk, 'give-two', [], under('deny', nft('sent', 1))));
add('nft: both covered', await call(desk, 'give-two', [], under('deny', nft('sent', 1), nft('sent', 2))));
add('nft: of another covers nothing of the sender', await give(under('deny', nft('maybe-sent', 1, bob))));
add('staking: nothing locked holds', await call(desk, 'nothing', [], under('deny', stake('lte', 5))));
add('staking: nothing locked breaks', await call(desk, 'nothing', [], under('allow', stake('gt', 0))));
add('pox: will-not-perform holds', await call(desk, 'nothing', [], under('deny', pox('will-not-perform'))));
add('pox: may-perform holds', await call(desk, 'nothing', [], under('deny', pox('may-perform'))));
add('pox: will-perform breaks', await call(desk, 'nothing', [], under('allow', pox('will-perform'))));
add('deploy: its conditions are checked', await deploy('fresh', '(ok true)', under('allow', stx('eq', 1))));
add('deploy: nothing is sent', await deploy('fresh', '(ok true)', under('deny')));
add('deploy: no Clarity', await deploy('fresh', '(define-public (go)\n  (ok true)))'));
add('deploy: a name twice', await deploy('fresh', '(define-constant a 1)\n(define-constant a 2)'));
add('response: before any condition', await call(desk, 'fails', [], under('deny', stx('eq', 99))));
add('response: more than the balance', await call(desk, 'pay', [u(2_000_000_000_000n)]));
const unsponsored = await pay({ ...under('deny'), sponsored: true, fee: 0 });
add('sponsored: the sponsor pays for an abort', await sponsorTransaction({ transaction: unsponsored, sponsorPrivateKey: keys.bob, fee: 4000, sponsorNonce: 1, network }));

// 3. Tokens of the catalogue: alice has 1000 of one, bob ticket 1.
const coins = (n, from, to, memo = Cl.none()) => call(usda, 'transfer', [u(n), Cl.principal(from), Cl.principal(to), memo]);
const ticket = (id, from, to, more = {}) => call(lights, 'transfer', [u(id), Cl.principal(from), Cl.principal(to)], more);
add('sip-010: a transfer', await coins(400, alice, bob, Cl.some(Cl.bufferFromAscii('rent'))));
add('sip-010: more than the balance', await coins(1001, alice, bob));
add('sip-010: to oneself', await coins(1, alice, alice));
add('sip-010: nothing', await coins(0, alice, bob));
add("sip-010: another's", await coins(1, bob, alice));
add("sip-009: not the sender's", await ticket(1, alice, bob));
add('sip-009: to oneself', await ticket(1, alice, alice));
add('sip-009: no such token', await ticket(99_999, alice, bob));
add("sip-009: another's", await ticket(1, bob, alice));

writeFileSync(new URL('transactions.json', import.meta.url), JSON.stringify({ accounts, transactions: rows }, null, 1) + '\n');
