// Follows the mock at a base URL with the client that Stacks publishes, while blocks come, three
// are replaced and the connection is cut; prints what was pushed and what was missed.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { connectWebSocketClient } = require('@stacks/blockchain-api-client');

const [base, rounds] = [process.argv[2], Number(process.argv[3])];
const pushed = new Map(); // times by hash
const chain = new Map(); // newest hash by height
const cuts = { count: 0 };
let reads = 0;

const read = async path => (await fetch(base + path)).json();
const control = async (route, body) => {
  const answer = await fetch(`${base}/mock/v1/${route}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${route}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()).tip.height;
};

// A subscription begins with the next block: what came before is read once.
async function join() {
  reads++;
  for (const block of (await read('/extended/v2/blocks?limit=30')).results) chain.set(block.height, block.hash);
}

async function listen() {
  const client = await connectWebSocketClient(base);
  client.webSocket.addEventListener('close', () => {
    cuts.count++;
    listening = listen();
  });
  await client.subscribeBlocks(block => {
    pushed.set(block.hash, (pushed.get(block.hash) ?? 0) + 1);
    const before = chain.get(block.height - 1);
    chain.set(block.height, block.hash);
    // Nothing says that a block was replaced, but the parent of the next one.
    if (before !== undefined && before !== block.parent_block_hash) listening = listening.then(join);
  });
  await join();
}

const begin = (await read('/extended/v2/blocks?limit=1')).results[0].height;
let listening = listen();
await listening;
for (let round = 0; round < rounds; round++) {
  if (round === rounds >> 1) await control('reorg', { depth: 3 });
  const height = await control('mine', { blocks: 1 });
  for (const end = Date.now() + 20_000; !chain.has(height); await new Promise(resolve => setTimeout(resolve, 2))) {
    if (Date.now() > end) throw new Error(`block ${height} did not come`);
    await listening;
  }
}
await listening;
const missed = [];
const tip = (await read('/extended/v2/blocks?limit=1')).total;
for (let height = begin + 1; height <= tip; height++) {
  const block = await read(`/extended/v2/blocks/${height}`);
  if (chain.get(height) !== block.hash) missed.push(height);
}
const doubled = [...pushed].filter(([, times]) => times > 1).map(([hash]) => hash);
console.log(JSON.stringify({ blocks: tip - begin, pushed: pushed.size, cuts: cuts.count, reads, missed, doubled }));
process.exit(0);
