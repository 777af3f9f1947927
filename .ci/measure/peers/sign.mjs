// Signs with the JavaScript libraries what the wallet signs, and times it.
//
// Standard input: {seconds, only, key, bitcoinKey, transfer, message, psbts}. Keys
// are 64 hexadecimal digits, psbts are in base64; only names the operations:
// transfer, message, and the names of psbts. CHAINSCOPE_PEERS names the directory
// with node_modules. Standard output: for each operation the median of its times
// in microseconds and its result, so that the caller can compare.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const modules = join(process.env.CHAINSCOPE_PEERS ?? '.', 'node_modules');
const require = createRequire(pathToFileURL(join(modules, 'none.js')));
const { makeSTXTokenTransfer, signMessageHashRsv } = require('@stacks/transactions');
const { hashMessage } = require('@stacks/encryption');
// btc-signer is an ES module, which require does not find.
const { Transaction } = await import(pathToFileURL(join(modules, '@scure', 'btc-signer', 'index.js')));

const input = JSON.parse(readFileSync(0, 'utf8'));
const bitcoinKey = Buffer.from(input.bitcoinKey, 'hex');

async function transfer() {
  const t = input.transfer;
  const tx = await makeSTXTokenTransfer({
    recipient: t.recipient, amount: t.amount, memo: t.memo, fee: t.fee, nonce: t.nonce,
    senderKey: input.key + '01', network: 'mainnet',
  });
  return { transaction: tx.serialize(), txid: tx.txid() };
}

function message() {
  const messageHash = Buffer.from(hashMessage(input.message)).toString('hex');
  return { signature: signMessageHashRsv({ messageHash, privateKey: input.key + '01' }) };
}

function psbt(text) {
  const tx = Transaction.fromPSBT(Buffer.from(text, 'base64'));
  tx.sign(bitcoinKey);
  return { psbt: Buffer.from(tx.toPSBT()).toString('base64') };
}

const operations = { transfer, message };
for (const [name, text] of Object.entries(input.psbts)) operations[name] = () => psbt(text);

const out = {};
for (const name of input.only) {
  const run = operations[name];
  const result = await run();
  for (let i = 0; i < 30; i++) await run();
  const times = [];
  const end = process.hrtime.bigint() + BigInt(Math.round(input.seconds * 1e9));
  while (process.hrtime.bigint() < end) {
    const start = process.hrtime.bigint();
    await run();
    times.push(Number(process.hrtime.bigint() - start));
  }
  times.sort((a, b) => a - b);
  out[name] = { us: times[times.length >> 1] / 1e3, runs: times.length, result };
}
console.log(JSON.stringify(out));
