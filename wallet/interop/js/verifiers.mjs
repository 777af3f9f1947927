// Verifies what the wallet signed with other people's libraries, and that it no longer
// verifies with one bit flipped. It runs in node and in a page.
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base64 } from '@scure/base';
import * as btc from '@scure/btc-signer';
import { verifyMessageSignatureRsv } from '@stacks/encryption';
import {
  addressToString, cvToHex, deserializeCV, deserializeTransaction, encodeStructuredDataBytes, publicKeyFromSignatureRsv, serializePayload, serializePostConditionWire,
} from '@stacks/transactions';
import { account, bitcoinNetwork } from './keys.mjs';
import { hex, unhex } from './hex.mjs';

const hash160 = bytes => ripemd160(sha256(bytes));
const strip = text => text.replace(/^0x/, '');

function must(condition, message) {
  if (!condition) throw new Error(message);
}
function equal(got, want, what) {
  must(String(got) === String(want), `${what}: got ${got}, want ${want}`);
}

// flip returns a copy of the bytes with one bit of the given range changed.
function flip(bytes, from, to, salt) {
  const copy = Uint8Array.from(bytes);
  const bit = salt % ((to - from) * 8);
  copy[from + (bit >> 3)] ^= 1 << (bit & 7);
  return copy;
}

function fails(attempt, what) {
  let passed;
  try { passed = attempt(); } catch { return; }
  must(passed === false, `${what} still verifies with a flipped bit`);
}

// In a transaction with a single signature the 65 bytes of the origin's stand here (SIP-005).
const signatureFrom = 44;
const signatureTo = signatureFrom + 65;

function verifyStacks({ request, result }, salt) {
  const { params } = request;
  const tx = deserializeTransaction(result.transaction);
  tx.verifyOrigin();
  const own = account(request.account, request.network);
  equal(tx.auth.spendingCondition.signer, hex(hash160(unhex(own.stacks.publicKey))), 'signer');
  if (params.sponsored) equal(result.txid, '', 'txid of a sponsored transaction');
  else if (request.method !== 'stx_signTransaction' || tx.auth.authType === 4) equal(strip(result.txid), tx.txid(), 'txid');
  if (params.nonce !== undefined) equal(tx.auth.spendingCondition.nonce, params.nonce, 'nonce');
  if (params.fee !== undefined) equal(tx.auth.spendingCondition.fee, params.fee, 'fee');
  if (params.postConditionMode) equal(tx.postConditionMode, params.postConditionMode === 'allow' ? 1 : 2, 'post-condition mode');
  if (params.postConditions) equal(tx.postConditions.values.map(serializePostConditionWire).join(), params.postConditions.map(strip).join(), 'post-conditions');
  const payload = tx.payload;
  switch (request.method) {
    case 'stx_transferStx':
      equal(payload.amount, params.amount, 'amount');
      equal(payload.recipient.value, params.recipient, 'recipient');
      equal(payload.memo.content.replace(/\0+$/, ''), params.memo ?? '', 'memo');
      break;
    case 'stx_callContract':
      equal(`${addressToString(payload.contractAddress)}.${payload.contractName.content}`, params.contract, 'contract');
      equal(payload.functionName.content, params.functionName, 'function');
      equal(payload.functionArgs.map(cvToHex).map(strip).join(), params.functionArgs.map(strip).join(), 'arguments');
      break;
    case 'stx_deployContract':
      equal(payload.contractName.content, params.name, 'name');
      equal(payload.codeBody.content, params.clarityCode, 'code');
      equal(payload.clarityVersion, params.clarityVersion ?? 6, 'clarity version');
      break;
    case 'stx_transferSip10Ft':
    case 'stx_transferSip9Nft':
      equal(`${addressToString(payload.contractAddress)}.${payload.contractName.content}`, params.asset.split('::')[0], 'contract');
      equal(payload.functionName.content, 'transfer', 'function');
      break;
    case 'stx_signTransaction':
      equal(hex(serializePayloadBytes(payload)), hex(serializePayloadBytes(deserializeTransaction(params.transaction).payload)), 'payload');
      break;
  }
  fails(() => { deserializeTransaction(flip(unhex(strip(result.transaction)), signatureFrom, signatureTo, salt)).verifyOrigin(); }, request.method);
}

function verifyTransactions({ request, result }) {
  equal(result.transactions.length, request.params.transactions.length, 'number of transactions');
  result.transactions.forEach(signed => deserializeTransaction(signed).verifyOrigin());
}
const serializePayloadBytes = payload => { const out = serializePayload(payload); return typeof out === 'string' ? unhex(out) : out; };

function verifyMessage({ request, result }, salt) {
  const { publicKey, signature } = result;
  equal(publicKey, account(request.account, request.network).stacks.publicKey, 'public key');
  const valid = candidate => verifyMessageSignatureRsv({ message: request.params.message, publicKey, signature: candidate });
  must(valid(signature), 'the message signature does not verify');
  fails(() => valid(hex(flip(unhex(signature), 0, 64, salt))), request.method);
}

function verifyStructured({ request, result }, salt) {
  const { publicKey, signature } = result;
  equal(publicKey, account(request.account, request.network).stacks.publicKey, 'public key');
  const hash = hex(sha256(encodeStructuredDataBytes({ message: deserializeCV(request.params.message), domain: deserializeCV(request.params.domain) })));
  const valid = candidate => publicKeyFromSignatureRsv(hash, candidate) === publicKey;
  must(valid(signature), 'the structured signature does not verify');
  fails(() => valid(hex(flip(unhex(signature), 0, 64, salt))), request.method);
}

// The two transactions of BIP-322, made here from the text of the standard.
function virtual(script, message) {
  const tag = sha256(new TextEncoder().encode('BIP0322-signed-message'));
  const hash = sha256(Uint8Array.from([...tag, ...tag, ...new TextEncoder().encode(message)]));
  const options = { version: 0, allowUnknownInputs: true, allowUnknownOutputs: true, disableScriptCheck: true };
  const toSpend = new btc.Transaction(options);
  toSpend.addOutput({ script, amount: 0n });
  toSpend.addInput({ txid: new Uint8Array(32), index: 0xffffffff, sequence: 0, finalScriptSig: Uint8Array.from([0, 32, ...hash]) });
  const toSign = new btc.Transaction(options);
  toSign.addInput({ txid: toSpend.id, index: 0, sequence: 0, witnessUtxo: { script, amount: 0n } });
  toSign.addOutput({ script: Uint8Array.from([0x6a]), amount: 0n });
  return toSign;
}

function verifyBitcoinMessage({ request, result }, salt) {
  const { params } = request;
  const own = account(request.account, request.network);
  const taproot = params.address === own.p2tr.address;
  equal(result.address, params.address, 'address');
  equal(result.message, params.message, 'message');
  const protocol = params.protocol ?? (taproot ? 'BIP322' : 'ECDSA');
  equal(result.protocol, protocol, 'protocol');
  if (protocol === 'ECDSA') {
    const bytes = base64.decode(result.signature);
    const text = new TextEncoder().encode(params.message);
    const length = text.length < 253 ? [text.length] : [0xfd, text.length & 255, text.length >> 8];
    const digest = sha256(sha256(Uint8Array.from([...new TextEncoder().encode('\x18Bitcoin Signed Message:\n'), ...length, ...text])));
    equal(result.messageHash, base64.encode(digest), 'message hash');
    const valid = signature => hex(secp256k1.recoverPublicKey(Uint8Array.from([signature[0] - 39, ...signature.slice(1)]), digest, { prehash: false })) === hex(own.p2wpkh.publicKey);
    must(valid(bytes), 'the signature does not verify');
    fails(() => valid(flip(bytes, 1, 65, salt)), request.method);
    const again = secp256k1.sign(digest, own.p2wpkh.privateKey, { prehash: false, lowS: true, format: 'recovered' });
    equal(hex(bytes), hex(Uint8Array.from([39 + again[0], ...again.slice(1)])), 'the signature of noble');
    return;
  }
  const from = taproot ? own.p2tr : own.p2wpkh;
  const tx = virtual(from.script, params.message);
  const stack = btc.RawWitness.decode(base64.decode(result.signature));
  verifyWitnesses(request.method, tx, [stack], [{ script: from.script, amount: 0n }], own, salt);
}

function verifyBitcoinMessages({ request, result }, salt) {
  equal(result.length, request.params.length, 'number of messages');
  request.params.forEach((params, index) => verifyBitcoinMessage({ request: { ...request, params }, result: result[index] }, salt + index));
}

// witnessVerifies checks the witness of one input against the coin that it spends.
function witnessVerifies(tx, index, witness, coins, own) {
  const script = coins[index].script;
  const amounts = coins.map(coin => coin.amount);
  if (hex(script) === hex(own.p2wpkh.script)) {
    const [signature, publicKey] = witness;
    equal(hex(publicKey), hex(own.p2wpkh.publicKey), 'witness public key');
    const type = signature[signature.length - 1];
    const code = btc.OutScript.encode({ type: 'pkh', hash: hash160(publicKey) });
    return secp256k1.verify(signature.slice(0, -1), tx.preimageWitnessV0(index, code, type, amounts[index]), publicKey, { prehash: false, format: 'der' });
  }
  equal(hex(script), hex(own.p2tr.script), 'script');
  const [signature] = witness;
  const type = signature.length === 65 ? signature[64] : btc.SigHash.DEFAULT;
  return schnorr.verify(signature.slice(0, 64), tx.preimageWitnessV1(index, coins.map(coin => coin.script), type, amounts), own.p2tr.tweakedPubkey);
}

function verifyWitnesses(method, tx, witnesses, coins, own, salt) {
  witnesses.forEach((witness, index) => {
    must(witnessVerifies(tx, index, witness, coins, own), `${method}: the signature of input ${index} does not verify`);
  });
  const index = salt % witnesses.length;
  const [signature, ...rest] = witnesses[index];
  fails(() => witnessVerifies(tx, index, [flip(signature, 8, 32, salt), ...rest], coins, own), method);
}

function verifyTransfer({ request, result, coins }, salt) {
  const own = account(request.account, request.network);
  const raw = unhex(strip(result.transaction));
  const tx = btc.Transaction.fromRaw(raw, { allowUnknownOutputs: true });
  equal(strip(result.txid), tx.id, 'txid');
  const net = bitcoinNetwork(request.network);
  request.params.recipients.forEach(({ address, amount }, index) => {
    const output = tx.getOutput(index);
    equal(btc.Address(net).encode(btc.OutScript.decode(output.script)), address, 'recipient');
    equal(output.amount, amount, 'amount');
  });
  const known = new Map(coins.map(coin => [`${coin.txid}:${coin.index}`, { script: unhex(coin.script), amount: BigInt(coin.amount) }]));
  const spent = [];
  const witnesses = [];
  for (let i = 0; i < tx.inputsLength; i++) {
    const input = tx.getInput(i);
    const coin = known.get(`${hex(input.txid)}:${input.index}`);
    must(coin, `input ${i} spends an unknown coin`);
    spent.push(coin);
    witnesses.push(input.finalScriptWitness);
  }
  verifyWitnesses(request.method, tx, witnesses, spent, own, salt);
}

function verifyPsbt({ request, result }, salt) {
  const own = account(request.account, request.network);
  const tx = btc.Transaction.fromPSBT(base64.decode(result.psbt));
  equal(tx.id, btc.Transaction.fromPSBT(base64.decode(request.params.psbt)).id, 'unsigned transaction');
  const coins = [];
  const witnesses = [];
  for (let i = 0; i < tx.inputsLength; i++) {
    const input = tx.getInput(i);
    coins.push(input.witnessUtxo);
    witnesses.push(input.tapKeySig ? [input.tapKeySig] : [input.partialSig[0][1], input.partialSig[0][0]]);
  }
  verifyWitnesses(request.method, tx, witnesses, coins, own, salt);
  tx.finalize();
  must(tx.isFinal && tx.extract().length > 0, 'the PSBT does not finalize');
}

export const verifiers = {
  stx_transferSip10Ft: verifyStacks, stx_transferSip9Nft: verifyStacks, stx_signTransactions: verifyTransactions,
  signMessage: verifyBitcoinMessage, signMultipleMessages: verifyBitcoinMessages,
  stx_transferStx: verifyStacks, stx_callContract: verifyStacks, stx_deployContract: verifyStacks, stx_signTransaction: verifyStacks,
  stx_signMessage: verifyMessage, stx_signStructuredMessage: verifyStructured,
  sendTransfer: verifyTransfer, signPsbt: verifyPsbt,
};
