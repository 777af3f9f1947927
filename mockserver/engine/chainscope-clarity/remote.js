// What the virtual machine reads of a live chain. It asks for that in the middle of a call and cannot wait,
// so its thread sleeps until the answer is there. To the machine an error would be an absent value: it
// never sees one, but what it does after something could not be read is thrown away.

import * as fs from "node:fs";
import { receiveMessageOnPort, workerData } from "node:worker_threads";

const url = "http://chain.invalid"; // to which the machine believes it speaks
const nothing = { status: 404, statusText: "", headers: {}, body: "" };

const answers = new Map(); // by path, for as long as the process lives: the state of a block does not change
let block = null; // the one on which the chain stands, and what the machine is to take for it
let missing = null; // what could not be read since the last time that somebody looked

// Unread says that something of the chain could not be read.
export class Unread extends Error {
  constructor({ what, why }) {
    super(`could not be read: ${what}: ${why}`);
    Object.assign(this, { what, why });
  }
}

// unread returns what could not be read, null for nothing.
export const unread = () => missing;

// forget begins anew: nothing was read yet that is not known.
export const forget = () => (missing = null);

// check throws if something could not be read.
export function check() {
  if (missing) throw new Unread(missing);
}

// ask asks chainscope for a path, and sleeps until the answer is there.
function ask(path) {
  const { reads, signal } = workerData;
  const flag = new Int32Array(signal);
  Atomics.store(flag, 0, 0);
  reads.postMessage(path);
  Atomics.wait(flag, 0, 0);
  return receiveMessageOnPort(reads).message;
}

// The machine takes a block for the newest one on which nothing can be done any more, and what is done in
// it gets lost. So it is told of a block before ours, which has the state of ours, and makes ours itself.
export function standOn(given) {
  const { height, burn, tenure, time } = given;
  const below = { height: height - 1, burn_block_height: burn - 1, tenure_height: tenure - 1, block_time: time - 20, burn_block_time: time - 30 };
  const hashes = { hash: given.parent, index_block_hash: given.parent_index, burn_block_hash: given.burn_hash };
  const sortition = { burn_block_hash: given.burn_hash, burn_block_height: burn - 1, consensus_hash: given.consensus, sortition_id: given.burn_hash, parent_sortition_id: given.burn_hash, vrf_seed: null };
  block = { tip: given.tip.replace(/^0x/, ""), below: given.parent_index.replace(/^0x/, "") };
  for (const [path, body] of [
    ["/v2/info", { network_id: given.mainnet ? 1 : 0x80000000, stacks_tip_height: height }],
    [`/extended/v2/blocks/${height - 1}`, { ...below, ...hashes }],
    [`/v3/sortitions/burn_height/${burn - 1}`, [sortition]],
  ]) {
    answers.set(path, { status: 200, statusText: "", headers: {}, body: JSON.stringify(body) });
  }
  return { enabled: true, api_url: url, initial_height: height - 1, use_mainnet_wallets: given.mainnet };
}

// read answers a request of the machine.
function read(address) {
  const path = address.slice(url.length).replace(`tip=${block.below}`, `tip=${block.tip}`);
  const known = answers.get(path);
  if (known) return known;
  if (missing) return nothing; // what is done now is thrown away
  const answer = ask(path);
  if (answer.unread) {
    missing = answer.unread;
    return nothing;
  }
  const kept = { ...nothing, status: answer.status, body: answer.body };
  answers.set(path, kept);
  return kept;
}

const refuse = () => {
  throw new Error("no network");
};

// requireWith returns a module's require in which the machine's ways out lead here: to the network, and to
// the folder in which it would keep what it read.
export const requireWith = (real) => (name) => {
  if (name.includes("sync_http")) return { syncHttpRequest: (address) => (block ? read(address) : refuse()), syncSleep() {} };
  if (name === "fs") return { ...fs, existsSync: () => false, mkdirSync() {}, writeFileSync() {} };
  return real(name);
};
