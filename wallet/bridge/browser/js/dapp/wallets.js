// Two small apps on the libraries that dapps use: one on sats-connect 4, one on
// @stacks/connect 8 with the networks of @stacks/network 6. The test drives them as window.wallets.
import './bridge.js';
import Wallet, * as sats from 'sats-connect';
import * as connect from '@stacks/connect';
import * as btc from '@scure/btc-signer';
import { base64, hex } from '@scure/base';
import { StacksMainnet } from '@stacks/network6';
import { Cl, cvToHex, deserializeTransaction, makeUnsignedSTXTokenTransfer } from '@stacks/transactions';
import { account } from './keys.mjs';
import { check, fits } from './schemas.mjs';

const own = account(0, 'mainnet');
const recipient = 'SP000000000000000000002Q6VF78';
const contract = `${recipient}.pool`;
const value = cvToHex(Cl.uint(7));
const domain = cvToHex(Cl.tuple({ name: Cl.stringAscii('a dapp'), version: Cl.stringAscii('1.0.0'), 'chain-id': Cl.uint(1) }));
const transaction = (await makeUnsignedSTXTokenTransfer({ recipient, amount: 7, network: 'mainnet', publicKey: own.stacks.publicKey, fee: 300, nonce: 0 })).serialize();
const psbt = (() => {
  const tx = new btc.Transaction();
  tx.addInput({ txid: new Uint8Array(32).fill(1), index: 0, witnessUtxo: { script: own.p2wpkh.script, amount: 60000n } });
  tx.addOutput({ script: own.p2tr.script, amount: 59000n });
  return tx.toPSBT();
})();
const message = 'hello é 😀';
const [payment, ordinals] = [own.p2wpkh.address, own.p2tr.address];

// What a dapp written for each wallet sends, by method; first to connect, last to leave.
const read = { wallet_getCurrentPermissions: null, wallet_getAccount: null, wallet_getNetwork: null, wallet_getWalletType: null, getBalance: null };
const leave = { wallet_changeNetwork: { name: 'Mainnet' }, wallet_renouncePermissions: null, wallet_disconnect: null };
const stacks = {
  stx_transferStx: { amount: 5, recipient, memo: 'x' },
  stx_callContract: { contract, functionName: 'f', functionArgs: [value] },
  stx_deployContract: { name: 'c', clarityCode: '(ok 1)', clarityVersion: 3 },
  stx_signMessage: { message },
  stx_signStructuredMessage: { domain, message: value },
  stx_signTransaction: { transaction },
};
const tokens = {
  stx_transferSip10Ft: { recipient, asset: `${contract}::t`, amount: 5 },
  stx_transferSip9Nft: { recipient, asset: `${contract}::t`, assetId: value },
};
const xverse = {
  getInfo: null,
  wallet_connect: { addresses: ['ordinals', 'payment', 'stacks'], message: 'hello', network: 'Mainnet' },
  wallet_requestPermissions: null,
  ...read,
  getAccounts: { purposes: ['payment', 'ordinals', 'stacks'] },
  getAddresses: { purposes: ['payment'], message: 'hello' },
  stx_getAddresses: null,
  stx_getAccounts: null,
  signMessage: { address: payment, message },
  signMultipleMessages: [{ address: payment, message }, { address: ordinals, message: 'second', protocol: 'BIP322' }],
  sendTransfer: { recipients: [{ address: ordinals, amount: 5000 }] },
  signPsbt: { psbt: base64.encode(psbt), signInputs: { [payment]: [0] } },
  ...stacks,
  stx_callContract: { contract, functionName: 'f', arguments: [value] },
  stx_signTransaction: { transaction, broadcast: false },
  stx_signTransactions: { transactions: [transaction], broadcast: false },
  ...leave,
};
const leather = {
  supportedMethods: {},
  getAddresses: { network: 'mainnet' },
  stx_getAddresses: {},
  open: { mode: 'popup' },
  openSwap: { base: 'STX', quote: 'BTC' },
  signMessage: { message, paymentType: 'p2tr', network: 'mainnet' },
  sendTransfer: { recipients: [{ address: ordinals, amount: '5000' }], network: 'mainnet' },
  signPsbt: { hex: hex.encode(psbt), signAtIndex: 0 },
  ...stacks,
  ...tokens,
  stx_signTransaction: { txHex: transaction, network: 'mainnet' },
};
const chainscope = {
  supportedMethods: {}, open: {}, openSwap: {}, ...xverse, ...tokens, getAddresses: undefined, stx_getNetworks: null, ...leave,
};
const samples = { chainscope, leather, xverse };

const ids = { chainscope: 'ChainscopeProvider', leather: 'LeatherProvider', xverse: 'XverseProviders.BitcoinProvider' };
const providerOf = wallet => ids[wallet].split('.').reduce((object, name) => object[name], window);

// outcome turns what a call came to into JSON that leaves the page.
async function outcome(promise) {
  try {
    return { result: await promise };
  } catch (error) {
    return { code: error?.code ?? error?.error?.code, message: String(error?.error?.message ?? error?.message ?? error) };
  }
}

// ask calls a method as the dapps of a wallet do.
async function ask(wallet, method, params) {
  if (wallet === 'leather') return (await providerOf(wallet).request(method, params)).result;
  localStorage.setItem('sats-connect_defaultProvider', ids[wallet]);
  const answer = await Wallet.request(method, params);
  if (answer.status === 'error') throw answer.error;
  return answer.result;
}

// legacy turns a function with callbacks into a promise.
const legacy = (run, options, provider) => new Promise((onFinish, refuse) => {
  run({ ...options, onFinish, onCancel: error => refuse(error ?? new Error('cancelled')) }, provider);
});

// The functions of @stacks/connect that take a network object of @stacks/network 6.
const network = new StacksMainnet();
const own6 = { ...network, coreApiUrl: 'https://stacks-node-api.mainnet.stacks.co' };
const withNetworks = {
  openSTXTransfer: { recipient, amount: 5n, memo: 'x', network },
  openContractCall: { contractAddress: recipient, contractName: 'pool', functionName: 'f', functionArgs: [Cl.uint(7)], network: own6 },
  openContractDeploy: { contractName: 'd', codeBody: '(ok 1)', network },
  openSignatureRequestPopup: { message, network: own6 },
  // Of a domain it takes a value of @stacks/transactions 6 alone, whose types are numbers.
  openStructuredDataSignatureRequestPopup: {
    message: { type: 1, value: 7n }, network: own6,
    domain: { type: 12, data: { name: { type: 13, data: 'a dapp' }, version: { type: 13, data: '1.0.0' }, 'chain-id': { type: 1, value: 1n } } },
  },
  openSignTransaction: { txHex: transaction, broadcast: false, network },
};

window.wallets = {
  // Every method that the wallet says it has.
  methods: wallet => {
    const entry = [...(window.btc_providers ?? []), ...(window.wbip_providers ?? [])].find(candidate => candidate.id === ids[wallet]);
    return Object.keys(samples[wallet]).concat(entry.methods.filter(method => !(method in samples[wallet])));
  },
  call: (wallet, method) => outcome((async () => {
    if (!(method in samples[wallet])) throw new Error('the test has no params for it');
    const params = samples[wallet][method];
    const result = await ask(wallet, method, params);
    if (wallet === 'chainscope') fits({ method, result });
    else if (method !== 'stx_getAddresses' || wallet !== 'leather') check[wallet]({ method, params, result });
    return result;
  })()),
  ask: (wallet, method, params) => outcome(ask(wallet, method, params)),
  functions: Object.keys(withNetworks),
  run: (wallet, name) => outcome((async () => {
    const done = await legacy(connect[name], withNetworks[name], providerOf(wallet));
    const raw = done.txRaw ?? done.transaction;
    if (!raw) return { signed: done.signature };
    const tx = deserializeTransaction(raw);
    tx.verifyOrigin();
    return { chain: tx.chainId, args: tx.payload.functionArgs?.map(cvToHex) };
  })()),
  // What pages of older libraries are told.
  old: (wallet, name) => outcome(providerOf(wallet)[name]('eyJ0')),
  callbacks: () => outcome(legacy(sats.getAddress, { payload: { purposes: ['payment'], message: 'hello', network: { type: 'Mainnet' } } })),
  listen: wallet => {
    window.heard = [];
    localStorage.setItem('sats-connect_defaultProvider', ids[wallet]);
    const listen = wallet === 'xverse' ? sats.addListener : event => providerOf(wallet).addListener(event);
    for (const eventName of ['accountChange', 'networkChange', 'disconnect']) {
      listen({ eventName, cb: result => { check.events({ method: eventName, result }); window.heard.push(eventName); } });
    }
  },
  value,
};
