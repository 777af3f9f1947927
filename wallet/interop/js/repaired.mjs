// Reads [{kind, network, account, params, fee, nonce, given, transaction}] on standard input: what the binary signed
// again, in the place of a transfer that waits. Signs the same with stacks.js, and prints how many are the same bytes.
import { readFileSync } from 'node:fs';
import { deserializeTransaction, makeSTXTokenTransfer, sponsorTransaction } from '@stacks/transactions';
import { account } from './keys.mjs';

const made = {
  replace: ({ network, params, fee, nonce }, own) => makeSTXTokenTransfer({ ...params, senderKey: own, network, nonce, fee }),
  cancel: ({ network, account: index, fee, nonce }, own) =>
    makeSTXTokenTransfer({ recipient: account(index + 1, network).stacks.address, amount: 1n, senderKey: own, network, nonce, fee }),
  sponsor: ({ network, fee, nonce, given }, own) =>
    sponsorTransaction({ transaction: deserializeTransaction(given), sponsorPrivateKey: own, fee, sponsorNonce: nonce, network }),
};
let count = 0;
for (const repair of JSON.parse(readFileSync(0, 'utf8'))) {
  const want = (await made[repair.kind](repair, account(repair.account, repair.network).stacks.privateKey)).serialize();
  if (repair.transaction !== want) {
    console.error(`${repair.kind} of account ${repair.account} on ${repair.network} signed\n${repair.transaction}, want\n${want}`);
    process.exit(1);
  }
  count++;
}
process.stdout.write(String(count));
