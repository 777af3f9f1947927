// Listens to the mock at a base URL with the Socket.IO client that Stacks publishes, over one
// transport, while an address is sent STX; prints what came, and what comes after the connection
// was lost. The path is that of Socket.IO.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { StacksApiSocketClient } = require('@stacks/blockchain-api-client');

const [base, path, transports, address] = process.argv.slice(2);
const seen = {};
let changed = () => {};
const note = (name, value) => {
  (seen[name] ??= []).push(value);
  changed();
};
const wanted = async (name, count) => {
  for (const end = Date.now() + 20_000; (seen[name]?.length ?? 0) < count; ) {
    if (Date.now() > end) throw new Error(`${name} did not come ${count} times: ${JSON.stringify(seen)}`);
    await new Promise(resolve => {
      changed = resolve;
      setTimeout(resolve, 100);
    });
  }
};
const post = async route => {
  const answer = await fetch(base + route, { method: 'POST' });
  if (!answer.ok) throw new Error(`${route}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};
const world = path.replace(/\/socket\.io$/, '');

const client = new StacksApiSocketClient({ url: base, socketOpts: { path, transports: transports.split(','), reconnectionDelay: 10, reconnectionDelayMax: 10 } });
client.socket.on('connect', () => note('connect', client.socket.io.engine.transport.name));
await wanted('connect', 1);
client.subscribeBlocks(block => note('block', block.hash));
client.subscribeMempool(tx => note('mempool', tx.tx_status));
client.subscribeAddressTransactions(address, (of, tx) => note('addressTransaction', [of, tx.tx.tx_status, tx.stx_received]));
client.subscribeAddressStxBalance(address, (of, balance) => note('addressBalance', [of, balance.balance]));
const acknowledged = topic => new Promise(resolve => client.socket.emit('subscribe', topic, resolve));
await acknowledged('microblock'); // so all before it are
const { txId } = await post(`${world}/extended/v1/faucets/stx?address=${address}`);
await wanted('mempool', 1);
client.subscribeTransaction(txId, tx => note('transaction', tx.tx_status));
await acknowledged('microblock');
await post(`${world}/mock/v1/mine`);
for (const name of ['block', 'transaction', 'addressTransaction', 'addressBalance']) await wanted(name, 1);
const { name } = client.socket.io.engine.transport;
client.socket.io.engine.close(); // the client connects again, and has its subscriptions
await wanted('connect', 2);
await acknowledged('microblock');
await post(`${world}/mock/v1/mine`);
await wanted('block', 2);
const refused = await new Promise(resolve => {
  const other = new StacksApiSocketClient({ url: base, subscriptions: ['nonsense'], socketOpts: { path, forceNew: true } });
  other.socket.on('connect_error', error => resolve(error.message));
});
console.log(JSON.stringify({ seen, name, refused }));
process.exit(0);
