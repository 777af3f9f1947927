// A dapp's questions to its node and API, asked with the libraries that dapps use.
// Run as: node backend.mjs API; prints what was checked as JSON. Its transactions
// are mined at once.
import {
  broadcastTransaction, Cl, cvToString, deserializeTransaction, fetchAbi, fetchCallReadOnlyFunction, fetchContractMapEntry, fetchFeeEstimateTransaction,
  fetchFeeEstimateTransfer, fetchNonce, makeContractCall, makeContractDeploy, makeSTXTokenTransfer, getAddressFromPrivateKey, serializePayload,
} from '@stacks/transactions';
import { createClient } from '@stacks/blockchain-api-client';

const baseUrl = process.argv[2];
const client = { baseUrl };
const checks = [];
function check(condition, what, got) {
  if (!condition) throw new Error(`${what}: ${JSON.stringify(got, (_, v) => (typeof v === 'bigint' ? `${v}n` : v))}`);
  checks.push(what);
}

const source = `(define-data-var count uint u3)
(define-map notes uint (string-ascii 20))
(define-fungible-token gold)
(define-read-only (get-count) (ok (var-get count)))
(define-public (add (by uint)) (begin (var-set count (+ (var-get count) by)) (ok (var-get count))))
(define-public (transfer (amount uint) (from principal) (to principal) (memo (optional (buff 34)))) (ft-transfer? gold amount from to))
`;

for (const network of ['mainnet', 'testnet']) {
  const senderKey = `${network === 'mainnet' ? '11' : '22'}`.repeat(32) + '01';
  const address = getAddressFromPrivateKey(senderKey, network);
  const other = getAddressFromPrivateKey('33'.repeat(32) + '01', network);
  const common = { network, client, senderKey };
  const send = async transaction => {
    const answer = await broadcastTransaction({ transaction, network, client });
    check(answer.txid && !answer.error, `${network}: a broadcast is taken`, answer);
    return answer.txid;
  };

  check((await fetchNonce({ address, network, client })) === 0n, `${network}: a new account has nonce 0`);
  const transfer = await makeSTXTokenTransfer({ ...common, recipient: other, amount: 1000, memo: 'rent' });
  check(transfer.auth.spendingCondition.nonce === 0n && transfer.auth.spendingCondition.fee > 0n, `${network}: nonce and fee are found`);
  check((await fetchFeeEstimateTransfer({ transaction: transfer, network, client })) > 0n, `${network}: a transfer is estimated`);
  const estimates = await fetchFeeEstimateTransaction({ payload: serializePayload(transfer.payload), estimatedLength: 180, network, client });
  check(estimates.length === 3 && estimates[0].fee < estimates[2].fee, `${network}: a payload has three estimates`, estimates);
  const paid = await send(transfer);
  check((await fetchNonce({ address, network, client })) === 1n, `${network}: the nonce follows`);

  const deployed = await send(await makeContractDeploy({ ...common, contractName: 'counter', codeBody: source, clarityVersion: 3 }));
  const contract = { contractAddress: address, contractName: 'counter', network, client };
  const abi = await fetchAbi(contract);
  check(abi.functions.find(f => f.name === 'add')?.args[0].type === 'uint128', `${network}: the interface is read`, abi);

  await fetch(`${baseUrl}/mock/v1/contracts`, {
    method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      contract: `${address}.counter`, reads: { 'get-count': { args: [], result: '(ok u8)' } },
      maps: { notes: { key: 'u1', value: '"hello"' } }, calls: { add: { args: ['u5'], result: '(ok u8)' } },
    }),
  });
  const read = await fetchCallReadOnlyFunction({ ...contract, functionName: 'get-count', functionArgs: [], senderAddress: address });
  check(cvToString(read) === '(ok u8)', `${network}: a read-only call is answered`, cvToString(read));
  const refused = await fetchCallReadOnlyFunction({ ...contract, functionName: 'is-owner?', functionArgs: [], senderAddress: address }).catch(error => error);
  check(/UndefinedFunction\("is-owner\?"\)/.test(refused.message), `${network}: an unknown function says why`, refused.message);
  const entry = await fetchContractMapEntry({ ...contract, mapName: 'notes', mapKey: Cl.uint(1) });
  check(cvToString(entry) === '(some "hello")', `${network}: a map entry is read`, cvToString(entry));
  const missing = await fetchContractMapEntry({ ...contract, mapName: 'notes', mapKey: Cl.uint(2) });
  check(cvToString(missing) === 'none', `${network}: a missing entry is none`, cvToString(missing));

  const call = await makeContractCall({ ...common, ...contract, functionName: 'add', functionArgs: [Cl.uint(5)], validateWithAbi: true, postConditionMode: 'deny' });
  const called = await send(call);
  const moved = await send(await makeContractCall({
    ...common, ...contract, functionName: 'transfer', functionArgs: [Cl.uint(7), Cl.address(address), Cl.address(other), Cl.none()], validateWithAbi: true, postConditionMode: 'allow',
  }));
  const again = await broadcastTransaction({ transaction: call, network, client });
  check(again.reason === 'BadNonce' && again.reason_data.expected === 4 && again.txid, `${network}: a nonce below is refused`, again);

  const api = createClient({ baseUrl });
  const get = async (path, params) => {
    const { data, error } = await api.GET(path, { params });
    check(data && !error, `${network}: ${path}`, error);
    return data;
  };
  const balances = await get('/extended/v1/address/{principal}/balances', { path: { principal: other } });
  check(BigInt(balances.stx.balance) === 1000000000000n + 1000n, `${network}: what was paid has come`, balances.stx);
  check(balances.fungible_tokens[`${address}.counter::gold`]?.balance === '7', `${network}: tokens have come`, balances);
  const list = await get('/extended/v1/address/{principal}/transactions', { path: { principal: address } });
  check(list.total === 4 && list.results.map(t => t.tx_id).join() === [moved, called, deployed, paid].map(id => `0x${id}`).join(), `${network}: the account's transactions`, list);
  const one = await get('/extended/v1/tx/{tx_id}', { path: { tx_id: `0x${called}` } });
  check(one.tx_status === 'success' && one.tx_result.repr === '(ok u8)', `${network}: the call's result`, one);
  const { raw_tx: raw } = await get('/extended/v1/tx/{tx_id}/raw', { path: { tx_id: `0x${called}` } });
  check(deserializeTransaction(raw.slice(2)).txid() === called, `${network}: the bytes are those that were sent`);
  const both = await get('/extended/v1/tx/multiple', { query: { tx_id: [`0x${paid}`, `0x${called}`] } });
  check(both[`0x${paid}`].found && both[`0x${called}`].found, `${network}: several at once`, both);
  const { data: source2 } = await api.GET('/extended/v1/contract/{contract_id}', { params: { path: { contract_id: `${address}.counter` } } });
  check(source2?.source_code === source && JSON.parse(source2.abi).functions.length === 3, `${network}: the contract`, source2);
}
console.log(JSON.stringify(checks));
