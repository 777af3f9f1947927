// Prints random, valid wallet requests as JSON: generate.mjs SEED COUNT
import { base64 } from '@scure/base';
import * as btc from '@scure/btc-signer';
import { Cl, Pc, cvToHex, getAddressFromPublicKey, postConditionToHex, makeUnsignedSTXTokenTransfer } from '@stacks/transactions';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { account, bitcoinNetwork } from './keys.mjs';
import { hex } from './hex.mjs';
import { source } from './random.mjs';

const [seed, count] = [process.argv[2], Number(process.argv[3])];
const random = source(seed);

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const word = (low, high) => random.pick(letters) + random.text(random.between(low, high) - 1, letters + '0123456789-_');
const anyText = [...'abc XYZ 0189 .,;:!?"\'\\/äöüßéñ€漢字かな😀👍🏽​\n\t'];
const text = (low, high) => random.text(random.between(low, high), anyText);
const ascii = (low, high) => random.text(random.between(low, high), [...letters, ...' 0123456789.,-_/:+']);
const networks = ['mainnet', 'testnet'];

function key() {
  for (;;) {
    const secret = random.bytes(32);
    if (secp256k1.utils.isValidSecretKey(secret)) return secret;
  }
}
const stranger = network => getAddressFromPublicKey(secp256k1.getPublicKey(key(), true), network);
const contract = network => `${stranger(network)}.${word(1, 30)}`;

function clarity(network, depth = 0) {
  const simple = [
    () => Cl.uint(random.next()),
    () => Cl.int(BigInt.asIntN(64, random.next())),
    () => Cl.bool(random.chance(0.5)),
    () => Cl.buffer(random.bytes(random.between(0, 40))),
    () => Cl.stringAscii(ascii(0, 40)),
    () => Cl.stringUtf8(text(0, 30)),
    () => Cl.principal(stranger(network)),
    () => Cl.principal(contract(network)),
    () => Cl.none(),
  ];
  const nested = [
    () => Cl.some(clarity(network, depth + 1)),
    () => Cl.ok(clarity(network, depth + 1)),
    () => Cl.error(clarity(network, depth + 1)),
    () => Cl.list(Array.from({ length: random.between(0, 5) }, () => Cl.uint(random.next()))),
    () => Cl.tuple(Object.fromEntries(Array.from({ length: random.between(1, 5) }, () => [word(1, 12), clarity(network, depth + 1)]))),
  ];
  return random.pick(depth > 2 ? simple : [...simple, ...nested])();
}

function postCondition(network) {
  const from = Pc.principal(random.chance(0.5) ? stranger(network) : contract(network));
  const amount = random.next() >> 8n;
  const compared = random.pick([
    () => from.willSendEq(amount), () => from.willSendGte(amount), () => from.willSendGt(amount),
    () => from.willSendLte(amount), () => from.willSendLt(amount),
  ])();
  return random.pick([
    () => compared.ustx(),
    () => compared.ft(contract(network), word(1, 20)),
    () => from.willSendAsset().nft(contract(network), word(1, 20), Cl.uint(random.below(10000))),
    () => from.willNotSendAsset().nft(contract(network), word(1, 20), Cl.uint(random.below(10000))),
  ])();
}

const common = network => ({
  network,
  nonce: random.pick([n => n, String])(random.below(100000)),
  fee: random.pick([n => n, String])(random.between(180, 2000000)),
});
const conditions = network => random.chance(0.5) ? {} : {
  postConditionMode: random.pick(['allow', 'deny']),
  postConditions: Array.from({ length: random.between(0, 4) }, () => postConditionToHex(postCondition(network))),
};
const sponsored = () => (random.chance(0.2) ? { sponsored: true } : {});

function bitcoinMessage(network, index) {
  const own = account(index, network);
  const message = text(0, random.pick([10, 100, 300]));
  return random.pick([
    () => ({ address: own.p2wpkh.address, message }),
    () => ({ address: own.p2wpkh.address, message, protocol: random.pick(['ECDSA', 'BIP322']) }),
    () => ({ address: own.p2tr.address, message, ...(random.chance(0.5) ? { protocol: 'BIP322' } : {}) }),
  ])();
}

const methods = {
  stx_transferStx: network => {
    const memo = random.chance(0.5) ? { memo: ascii(0, 34) } : {};
    return { recipient: random.chance(0.3) ? contract(network) : stranger(network), amount: String((random.next() >> 20n) + 1n), ...memo, ...common(network), ...sponsored() };
  },
  stx_callContract: network => ({
    contract: contract(network), functionName: word(1, 60),
    functionArgs: Array.from({ length: random.between(0, 6) }, () => cvToHex(clarity(network))),
    ...common(network), ...conditions(network), ...sponsored(),
  }),
  stx_deployContract: network => ({
    name: word(1, 40), clarityCode: `(define-constant c u${random.next()})\n;; ${ascii(0, 300)}\n`,
    ...(random.chance(0.7) ? { clarityVersion: random.pick([n => n, String])(random.between(1, 6)) } : {}),
    ...common(network), ...conditions(network),
  }),
  stx_signTransaction: async (network, index) => {
    const unsigned = await makeUnsignedSTXTokenTransfer({
      recipient: stranger(network), amount: (random.next() >> 20n) + 1n, memo: ascii(0, 34), network,
      publicKey: account(index, network).stacks.publicKey, fee: random.between(180, 100000), nonce: random.below(100000), sponsored: random.chance(0.2),
    });
    return { transaction: unsigned.serialize() };
  },
  stx_transferSip10Ft: network => ({
    recipient: random.chance(0.3) ? contract(network) : stranger(network), asset: `${contract(network)}::${word(1, 20)}`,
    amount: String((random.next() >> 20n) + 1n), ...common(network), ...sponsored(),
  }),
  stx_transferSip9Nft: network => ({
    recipient: stranger(network), asset: `${contract(network)}::${word(1, 20)}`, assetId: cvToHex(random.chance(0.8) ? Cl.uint(random.below(100000)) : clarity(network)),
    ...common(network), ...sponsored(),
  }),
  stx_signTransactions: async (network, index) => {
    const transactions = [];
    for (let i = random.between(1, 4); i > 0; i--) transactions.push((await methods.stx_signTransaction(network, index)).transaction);
    return { transactions };
  },
  stx_signMessage: () => ({ message: text(0, random.pick([10, 100, 400, 3000])) }),
  stx_signStructuredMessage: network => ({
    message: cvToHex(clarity(network)),
    domain: cvToHex(Cl.tuple({ name: Cl.stringAscii(ascii(1, 20)), version: Cl.stringAscii(ascii(1, 8)), 'chain-id': Cl.uint(network === 'mainnet' ? 1 : 2147483648) })),
  }),
  signMessage: (network, index) => bitcoinMessage(network, index),
  signMultipleMessages: (network, index) => Array.from({ length: random.between(1, 4) }, () => bitcoinMessage(network, index)),
  sendTransfer: network => ({
    network,
    recipients: Array.from({ length: random.between(1, 4) }, () => {
      const to = secp256k1.getPublicKey(key(), true);
      const output = random.chance(0.5) ? btc.p2wpkh(to, bitcoinNetwork(network)) : btc.p2tr(to.slice(1), undefined, bitcoinNetwork(network));
      return { address: output.address, amount: String(random.between(1000, 20000)) };
    }),
  }),
  signPsbt: (network, index) => {
    const own = account(index, network);
    const tx = new btc.Transaction();
    let total = 0n;
    const inputs = random.between(1, 8);
    for (let i = 0; i < inputs; i++) {
      const from = random.chance(0.5) ? own.p2wpkh : own.p2tr;
      const amount = BigInt(random.between(10000, 5000000));
      total += amount;
      tx.addInput({
        txid: random.bytes(32), index: random.below(5), witnessUtxo: { script: from.script, amount },
        ...(from === own.p2tr && random.chance(0.7) ? { tapInternalKey: own.p2tr.tapInternalKey } : {}),
      });
    }
    tx.addOutput({ script: btc.p2wpkh(secp256k1.getPublicKey(key(), true), bitcoinNetwork(network)).script, amount: total / 2n });
    tx.addOutput({ script: own.p2wpkh.script, amount: total - total / 2n - 500n });
    return { network, psbt: base64.encode(tx.toPSBT()) };
  },
};

const requests = [];
for (const [method, params] of Object.entries(methods)) {
  for (let i = 0; i < count; i++) {
    const index = random.below(4);
    const network = random.pick(networks);
    requests.push({ method, account: index, network, params: await params(network, index) });
  }
}
process.stdout.write(JSON.stringify(requests));
