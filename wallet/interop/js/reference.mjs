// Signs the same requests with other people's libraries and the same keys, so that what the
// wallet answers can be compared byte for byte.
import { base64 } from '@scure/base';
import * as btc from '@scure/btc-signer';
import {
  Cl, Pc, PostConditionMode, TransactionSigner, deserializeCV, deserializePostConditionWire, deserializeTransaction, makeContractCall, makeContractDeploy,
  makeSTXTokenTransfer, signMessageHashRsv, signStructuredData,
} from '@stacks/transactions';
import { hashMessage } from '@stacks/encryption';
import { Verifier } from 'bip322-js';
import { account } from './keys.mjs';
import { hex, unhex } from './hex.mjs';

const common = (request, own) => {
  const { nonce, fee, sponsored, network } = request.params;
  return { nonce: BigInt(nonce), fee: BigInt(fee), sponsored, network, senderKey: own.stacks.privateKey };
};
const conditions = params => ({
  postConditionMode: params.postConditionMode === 'allow' ? PostConditionMode.Allow : PostConditionMode.Deny,
  postConditions: (params.postConditions ?? []).map(text => Pc.fromHex(text)),
});
const split = asset => {
  const [id, token] = asset.split('::');
  const [contractAddress, contractName] = id.split('.');
  return { id, token, contractAddress, contractName };
};

// transactions makes and signs what a request asks for and gives it as hex.
const transactions = {
  stx_transferStx: async (request, own) => {
    const { recipient, amount, memo } = request.params;
    return (await makeSTXTokenTransfer({ recipient, amount: BigInt(amount), memo, ...common(request, own) })).serialize();
  },
  stx_callContract: async (request, own) => {
    const { contract, functionName, functionArgs } = request.params;
    const [contractAddress, contractName] = contract.split('.');
    return (await makeContractCall({
      contractAddress, contractName, functionName, functionArgs: functionArgs.map(text => deserializeCV(text)), ...common(request, own), ...conditions(request.params),
    })).serialize();
  },
  stx_deployContract: async (request, own) => {
    const { name, clarityCode, clarityVersion } = request.params;
    const version = { clarityVersion: Number(clarityVersion ?? 6) };
    return (await makeContractDeploy({ contractName: name, codeBody: clarityCode, ...version, ...common(request, own), ...conditions(request.params) })).serialize();
  },
  stx_transferSip10Ft: async (request, own) => {
    const { id, token, contractAddress, contractName } = split(request.params.asset);
    const { recipient, amount } = request.params;
    return (await makeContractCall({
      contractAddress, contractName, functionName: 'transfer', ...common(request, own), postConditionMode: PostConditionMode.Deny,
      functionArgs: [Cl.uint(amount), Cl.principal(own.stacks.address), Cl.principal(recipient), Cl.none()],
      postConditions: [Pc.principal(own.stacks.address).willSendEq(BigInt(amount)).ft(id, token)],
    })).serialize();
  },
  stx_transferSip9Nft: async (request, own) => {
    const { id, token, contractAddress, contractName } = split(request.params.asset);
    const assetId = deserializeCV(request.params.assetId);
    return (await makeContractCall({
      contractAddress, contractName, functionName: 'transfer', ...common(request, own), postConditionMode: PostConditionMode.Deny,
      functionArgs: [assetId, Cl.principal(own.stacks.address), Cl.principal(request.params.recipient)],
      postConditions: [Pc.principal(own.stacks.address).willSendAsset().nft(id, token, assetId)],
    })).serialize();
  },
  stx_signTransaction: async (request, own) => signed(request.params.transaction, own),
};

function signed(transaction, own) {
  const signer = new TransactionSigner(deserializeTransaction(transaction));
  signer.signOrigin(own.stacks.privateKey);
  return signer.transaction.serialize();
}

const messages = {
  stx_signMessage: (params, own) => signMessageHashRsv({ messageHash: hex(hashMessage(params.message)), privateKey: own.stacks.privateKey }),
  stx_signStructuredMessage: (params, own) =>
    signStructuredData({ message: deserializeCV(params.message), domain: deserializeCV(params.domain), privateKey: own.stacks.privateKey }),
};

// witnesses signs the inputs of a PSBT and gives the signatures in their order.
function witnesses(psbt, own) {
  const tx = btc.Transaction.fromPSBT(psbt, { lowR: false });
  for (const [index, input] of Array.from({ length: tx.inputsLength }, (_, i) => [i, tx.getInput(i)])) {
    const taproot = hex(input.witnessUtxo.script) === hex(own.p2tr.script);
    if (taproot) tx.updateInput(index, { tapInternalKey: own.p2tr.tapInternalKey });
    tx.signIdx(taproot ? own.p2tr.privateKey : own.p2wpkh.privateKey, index, undefined, new Uint8Array(32));
  }
  return Array.from({ length: tx.inputsLength }, (_, i) => {
    const input = tx.getInput(i);
    return hex(input.tapKeySig ?? input.partialSig[0][1]);
  });
}

function equal(got, want, what) {
  if (got !== want) throw new Error(`${what}: got ${got}, want ${want}`);
}

const stacks = async ({ request, result }, own) => equal(result.transaction, await transactions[request.method](request, own), 'the transaction of stacks.js');
const message = ({ request, result }, own) => equal(result.signature, messages[request.method](request.params, own), 'the signature of stacks.js');

function bitcoinMessage({ request, result }) {
  const { address, message: text } = request.params;
  if (!Verifier.verifySignature(address, text, result.signature)) throw new Error('bip322-js does not verify the signature');
  if (Verifier.verifySignature(address, text + 'x', result.signature)) throw new Error('bip322-js verifies the signature of another message');
}

// comparisons hold, by method, what the wallet answered against the other libraries' own.
export const comparisons = {
  stx_transferStx: stacks, stx_callContract: stacks, stx_deployContract: stacks, stx_transferSip10Ft: stacks, stx_transferSip9Nft: stacks, stx_signTransaction: stacks,
  stx_signTransactions: ({ request, result }, own) =>
    equal(result.transactions.join(), request.params.transactions.map(transaction => signed(transaction, own)).join(), 'the transactions of stacks.js'),
  stx_signMessage: message, stx_signStructuredMessage: message,
  signMessage: bitcoinMessage,
  signMultipleMessages: ({ request, result }) => request.params.forEach((params, i) => bitcoinMessage({ request: { params }, result: result[i] })),
  signPsbt: ({ request, result }, own) => {
    const tx = btc.Transaction.fromPSBT(base64.decode(result.psbt));
    const got = Array.from({ length: tx.inputsLength }, (_, i) => hex(tx.getInput(i).tapKeySig ?? tx.getInput(i).partialSig[0][1]));
    equal(got.join(), witnesses(base64.decode(request.params.psbt), own).join(), 'the signatures of btc-signer');
  },
  sendTransfer: ({ result, coins }, own) => {
    const tx = btc.Transaction.fromRaw(unhex(result.transaction), { allowUnknownOutputs: true });
    const again = new btc.Transaction({ version: tx.version, lockTime: tx.lockTime, lowR: false, allowUnknownOutputs: true });
    for (let i = 0; i < tx.inputsLength; i++) {
      const { txid, index, sequence } = tx.getInput(i);
      const coin = coins.find(c => c.txid === hex(txid) && c.index === index);
      again.addInput({ txid, index, sequence, witnessUtxo: { script: unhex(coin.script), amount: BigInt(coin.amount) } });
    }
    for (let i = 0; i < tx.outputsLength; i++) again.addOutput(tx.getOutput(i));
    again.sign(own.p2wpkh.privateKey);
    again.finalize();
    equal(result.transaction, hex(again.extract()), 'the transaction of btc-signer');
  },
};
