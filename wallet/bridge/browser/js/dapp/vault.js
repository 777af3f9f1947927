// A dapp of a contract that holds STX, on the real libraries. The address of the page names the contract.
import { connect, request } from '@stacks/connect';
import { Cl, Pc, fetchCallReadOnlyFunction } from '@stacks/transactions';

const contract = new URLSearchParams(location.search).get('contract');
const network = 'testnet';
const show = (id, text) => { document.getElementById(id).textContent = text; };
const run = (id, what) => async () => {
  show(id, '…');
  try { show(id, await what()); } catch (error) { show(id, `failed: ${error.message}`); }
};
let account;

document.getElementById('connect').onclick = run('account', async () => {
  const { addresses } = await connect({ network });
  account = addresses.find(({ symbol, address }) => symbol === 'STX' || address.startsWith('ST')).address;
  return account;
});

// deposit pays into the vault, and says so many micro-STX in a post-condition.
const deposit = (amount, said) => run('ended', async () => {
  const { txid } = await request('stx_callContract', {
    contract, functionName: 'deposit', functionArgs: [Cl.uint(amount)], network,
    postConditionMode: 'deny', postConditions: [Pc.principal(account).willSendLte(said).ustx()],
  });
  for (;;) {
    const tx = await (await fetch(`https://api.testnet.hiro.so/extended/v1/tx/0x${txid.replace(/^0x/, '')}`)).json();
    if (tx.tx_status !== 'pending') return `${tx.tx_status} ${tx.tx_result.repr}`;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
});
document.getElementById('deposit').onclick = deposit(2_000_000, 2_000_000);
document.getElementById('mistake').onclick = deposit(5_000_000, 2_000_000);

document.getElementById('look').onclick = run('held', async () => {
  const [contractAddress, contractName] = contract.split('.');
  const held = await fetchCallReadOnlyFunction({ contractAddress, contractName, functionName: 'of', functionArgs: [Cl.principal(account)], senderAddress: account, network });
  return `${held.value} micro-STX`;
});
