// Makes wallet/internal/vectors/repairs.json: transactions that wait, and what stacks.js makes of them
// when their sender pays more, gives their nonce to another one, or a sponsor signs.
//
//	node repairs.mjs > repairs.json
import { Cl, PostConditionMode, deserializeTransaction, makeContractCall, makeContractDeploy, makeSTXTokenTransfer, sponsorTransaction } from '@stacks/transactions';
import { account } from './keys.mjs';

export const sponsored = (transaction, own, fee, nonce, network) =>
  sponsorTransaction({ transaction: deserializeTransaction(transaction), sponsorPrivateKey: own.stacks.privateKey, fee, sponsorNonce: nonce, network });

const cases = [];
for (const network of ['mainnet', 'testnet']) {
  const [own, other, payer] = [0, 1, 2].map(index => account(index, network));
  const kinds = {
    transfer: more => makeSTXTokenTransfer({ recipient: other.stacks.address, amount: 2500000n, memo: 'rent', ...more }),
    call: more => makeContractCall({
      contractAddress: other.stacks.address, contractName: 'counter', functionName: 'add', functionArgs: [Cl.uint(7), Cl.some(Cl.bool(true))],
      postConditionMode: PostConditionMode.Deny, postConditions: [], ...more,
    }),
    deploy: more => makeContractDeploy({ contractName: 'greeter', codeBody: '(define-read-only (hello) "hi")', clarityVersion: 4, ...more }),
  };
  for (const [what, make] of Object.entries(kinds)) {
    const signed = async more => (await make({ senderKey: own.stacks.privateKey, network, nonce: 41n, ...more })).serialize();
    const waiting = await signed({ fee: 1200n });
    const unsponsored = await signed({ fee: 0n, sponsored: true });
    const whole = (await sponsored(unsponsored, payer, 3456n, 17n, network)).serialize();
    cases.push({
      what, network, waiting, fee: '1200', nonce: '41',
      raised: { fee: '5000', transaction: await signed({ fee: 5000n }) },
      canceled: {
        fee: '1320', recipient: other.stacks.address,
        transaction: (await makeSTXTokenTransfer({ recipient: other.stacks.address, amount: 1n, senderKey: own.stacks.privateKey, network, nonce: 41n, fee: 1320n })).serialize(),
      },
      unsponsored, sponsor: { accountIndex: 2, fee: '3456', nonce: '17', transaction: whole, txid: deserializeTransaction(whole).txid() },
      responsored: { fee: '9000', transaction: (await sponsored(unsponsored, payer, 9000n, 17n, network)).serialize() },
    });
  }
}
process.stdout.write(JSON.stringify({
  what: 'Transactions that wait, signed again with a higher fee, canceled, and sponsored', set: 'wallet', madeWith: { '@stacks/transactions': '7.6.0' }, cases,
}, null, 1) + '\n');
