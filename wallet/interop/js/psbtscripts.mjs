// Makes internal/vectors/psbt-scripts.json: PSBTs whose input spends a script in which a key of
// account 0 has a part, and what btc-signer adds when it signs them with that account's keys.
import { base64 } from '@scure/base';
import * as btc from '@scure/btc-signer';
import { hash160, sha256 } from '@scure/btc-signer/utils.js';
import { account } from './keys.mjs';
import { hex } from './hex.mjs';

const own = account(0, 'mainnet');
const other = account(7, 'mainnet');
const pay = own.p2wpkh.publicKey;
const tap = own.p2tr.publicKey.slice(1);
const foreign = other.p2wpkh.publicKey;
const foreignTap = other.p2tr.publicKey.slice(1);
const hashLock = [
  'IF', 'HASH160', hash160(new Uint8Array(32).fill(5)), 'EQUALVERIFY', 'DUP', 'HASH160', hash160(foreign), 'ELSE', 500, 'CHECKLOCKTIMEVERIFY', 'DROP',
  'DUP', 'HASH160', hash160(pay), 'ENDIF', 'EQUALVERIFY', 'CHECKSIG',
];
const wsh = script => ({ script: btc.OutScript.encode({ type: 'wsh', hash: sha256(script) }), witnessScript: script });
const leaf = (...items) => ({ script: btc.Script.encode(items) });
const tree = (internal, ...leaves) => btc.p2tr(internal, leaves.length > 1 ? leaves : leaves[0], btc.NETWORK, true);

const cases = {
  'p2wsh, 2 of 2': { keys: 2, needs: 2, from: btc.p2wsh(btc.p2ms(2, [pay, foreign])) },
  'p2wsh, 1 of 3': { keys: 3, needs: 1, from: btc.p2wsh(btc.p2ms(1, [foreign, pay, other.p2tr.publicKey])), final: true },
  'p2wsh, 2 of 2, both ours': { keys: 2, needs: 2, from: btc.p2wsh(btc.p2ms(2, [pay, own.p2tr.publicKey])), final: true },
  'p2sh-p2wsh, 2 of 2': { keys: 2, needs: 2, from: btc.p2sh(btc.p2wsh(btc.p2ms(2, [foreign, pay]))) },
  'p2sh-p2wpkh': { from: btc.p2sh(btc.p2wpkh(pay)), final: true },
  'p2sh, 2 of 2': { keys: 2, needs: 2, from: btc.p2sh(btc.p2ms(2, [foreign, pay])), legacy: true },
  p2pkh: { from: btc.p2pkh(pay), legacy: true, final: true },
  'p2wsh, a hash lock by hashed keys': { keys: 2, from: wsh(btc.Script.encode(hashLock)) },
  'p2tr, our key beside a tree': { from: tree(tap, leaf(foreignTap, 'CHECKSIG')), final: true },
  'p2tr, a leaf of our key': { keys: 1, leaf: true, from: tree(foreignTap, leaf(tap, 'CHECKSIG')), final: true },
  'p2tr, a leaf of two keys': { keys: 2, leaf: true, from: tree(foreignTap, leaf(foreignTap, 'CHECKSIGVERIFY', tap, 'CHECKSIG')) },
  'p2tr, a leaf of our payment key': { keys: 1, leaf: true, from: tree(foreignTap, leaf(pay.slice(1), 'CHECKSIG')), final: true },
  'p2tr, one of two leaves': { keys: 2, leaf: true, from: tree(foreignTap, leaf(foreignTap, 'CHECKSIG'), leaf(tap, 'CHECKSIG', foreignTap, 'CHECKSIGADD', 2, 'NUMEQUAL')) },
};

function sign(tx) {
  for (const key of [own.p2wpkh.privateKey, own.p2tr.privateKey]) {
    try { tx.signIdx(key, 0, undefined, new Uint8Array(32)); } catch { /* not a key of this input */ }
  }
}

const out = [];
for (const [name, c] of Object.entries(cases)) {
  const options = { allowUnknownOutputs: true, allowUnknownInputs: true, allowLegacyWitnessUtxo: true, lowR: false };
  const tx = new btc.Transaction(options);
  const before = new btc.Transaction(options);
  before.addInput({ txid: 'bb'.repeat(32), index: 1 });
  before.addOutput({ script: c.from.script, amount: 10000n });
  const { redeemScript, witnessScript, tapInternalKey, tapMerkleRoot, tapLeafScript } = c.from;
  const scripts = Object.fromEntries(Object.entries({ redeemScript, witnessScript, tapInternalKey, tapMerkleRoot, tapLeafScript }).filter(([, v]) => v));
  tx.addInput({
    txid: c.legacy ? before.id : 'aa'.repeat(32), index: 0, sequence: 0xfffffffd, ...scripts,
    ...(c.legacy ? { nonWitnessUtxo: before.unsignedTx } : { witnessUtxo: { script: c.from.script, amount: 10000n } }),
  });
  tx.addOutput({ script: own.p2wpkh.script, amount: 9000n });
  const psbt = base64.encode(tx.toPSBT());
  sign(tx);
  const input = tx.getInput(0);
  const one = {
    name, psbt, keys: c.keys ?? 0, needs: c.needs ?? 0, leaf: !!c.leaf,
    partial: (input.partialSig ?? []).map(([key, signature]) => [hex(key), hex(signature)]).sort(),
    keySpend: input.tapKeySig ? hex(input.tapKeySig) : '',
    leaves: (input.tapScriptSig ?? []).map(([{ pubKey, leafHash }, signature]) => [hex(pubKey), hex(leafHash), hex(signature)]),
  };
  if (c.final) {
    tx.finalize();
    one.transaction = hex(tx.extract());
  }
  out.push(one);
}
process.stdout.write(JSON.stringify({ what: 'PSBTs that spend scripts with a key of account 0 of the seed abandon12, and what @scure/btc-signer adds', cases: out }, null, 1) + '\n');
