// A small dapp on the real connection library; the test drives it as window.dapp.
import './bridge.js';
import * as connect from '@stacks/connect';
import * as btc from '@scure/btc-signer';
import { base64 } from '@scure/base';
import { Cl, makeUnsignedSTXTokenTransfer } from '@stacks/transactions';
import { account } from './keys.mjs';
import { verifiers } from './verifiers.mjs';

const network = 'testnet';
const own = account(0, network);
const recipient = 'ST2JHG361ZXG51QTKY2NQCVBPPRRE2KZB1HR05NNC';
const contract = 'ST1PQHQKV0RJXZFY1DGX8MNSNYVE3VGZJSRTPGZGM.counter';

async function unsignedTransfer() {
  const tx = await makeUnsignedSTXTokenTransfer({ recipient, amount: 7, network, publicKey: own.stacks.publicKey, fee: 300, nonce: 0 });
  return tx.serialize();
}
function unsignedPsbt() {
  const tx = new btc.Transaction();
  for (const [i, from] of [own.p2wpkh, own.p2tr].entries()) {
    tx.addInput({ txid: new Uint8Array(32).fill(i + 1), index: i, witnessUtxo: { script: from.script, amount: 60000n } });
  }
  tx.addOutput({ script: own.p2wpkh.script, amount: 119000n });
  return base64.encode(tx.toPSBT());
}

// The params as an app gives them to the library, which makes hex of Clarity values.
const params = {
  getAddresses: async () => undefined,
  stx_getAddresses: async () => ({ network }),
  stx_getAccounts: async () => ({ network }),
  stx_transferStx: async () => ({ recipient, amount: '1500000', memo: 'rent', network, fee: '400', nonce: '0' }),
  stx_callContract: async () => ({ contract, functionName: 'add', functionArgs: [Cl.uint(1), Cl.bool(true)], network, fee: '400', nonce: '1' }),
  stx_deployContract: async () => ({ name: 'counter', clarityCode: '(define-data-var n uint u0)\n', clarityVersion: '3', network, fee: '400', nonce: '2' }),
  stx_signMessage: async () => ({ message: 'hello é 😀' }),
  stx_signStructuredMessage: async () => ({
    message: Cl.tuple({ what: Cl.stringAscii('hello') }),
    domain: Cl.tuple({ name: Cl.stringAscii('a dapp'), version: Cl.stringAscii('1.0.0'), 'chain-id': Cl.uint(2147483648) }),
  }),
  sendTransfer: async () => ({ recipients: [{ address: own.p2tr.address, amount: '5000' }], network }),
  signPsbt: async () => ({ psbt: unsignedPsbt(), network }),
  stx_signTransaction: async () => ({ transaction: await unsignedTransfer() }),
};

// outcome turns what a call came to into JSON that leaves the page.
async function outcome(promise) {
  try {
    return { result: await promise };
  } catch (error) {
    return { name: error.name, code: error.code, message: error.message };
  }
}

// As the wallet got them: Clarity values as hex.
async function asSent(method) {
  const { Cl: _, ...rest } = { ...(await params[method]()) };
  const { cvToHex } = await import('@stacks/transactions');
  if (rest.functionArgs) rest.functionArgs = rest.functionArgs.map(cvToHex);
  if (method === 'stx_signStructuredMessage') Object.assign(rest, { message: cvToHex(rest.message), domain: cvToHex(rest.domain) });
  return rest;
}

window.dapp = {
  connect: () => outcome(connect.connect({ network })),
  isConnected: () => connect.isConnected(),
  storage: () => connect.getLocalStorage(),
  disconnect: () => connect.disconnect(),
  selected: () => connect.getSelectedProviderId(),
  methods: Object.keys(params),
  request: async method => outcome(connect.request(method, await params[method]())),
  send: (method, given) => outcome(connect.request(method, given)),
  verify: async (method, result, coins) => {
    const verify = verifiers[method];
    if (verify) verify({ request: { method, account: 0, network, params: await asSent(method) }, result, coins }, 4711);
    return Boolean(verify);
  },
  listen: event => {
    window.heard = [];
    return window.ChainscopeProvider.listen(event, data => window.heard.push(data));
  },
};
