#!/usr/bin/env node
// Runs Clarity contracts in the virtual machine of the Clarinet SDK. One line of JSON on
// stdin asks for one thing, one line on stdout answers it, in the order of the questions.
// docs/engine.md of chainscope describes the lines.

import { createRequire } from "node:module";
import readline from "node:readline";
import { MessageChannel, Worker } from "node:worker_threads";

const protocol = 1;

const tell = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

// broken says why the virtual machine cannot be used any more, and ends.
function broken(id, message) {
  tell({ id, error: { kind: "broken", message } });
  process.stdout.write("", () => process.exit(70));
}

// Contracts run in a thread, so that it is noticed here at any time that who asked is gone.
// What it reads of a live chain it asks for here, and sleeps on the signal meanwhile.
const { port1: reads, port2 } = new MessageChannel();
const signal = new SharedArrayBuffer(4);
const machine = new Worker(new URL("./machine.js", import.meta.url), { workerData: { reads: port2, signal }, transferList: [port2] });
let reading = 0; // the number of the newest read
reads.on("message", (path) => tell({ read: ++reading, path }));

// give hands an answer to the machine, which waits for it.
function give({ read, ...answer }) {
  if (read !== reading) return;
  reads.postMessage(answer);
  const flag = new Int32Array(signal);
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
}

const asked = []; // numbers of the questions that wait
machine.on("message", (answer) => {
  asked.shift();
  tell(answer);
  if (answer.error?.kind === "broken") process.stdout.write("", () => process.exit(70));
});
machine.on("error", (thrown) => broken(asked[0] ?? null, String(thrown?.message ?? thrown)));
machine.on("exit", () => broken(asked[0] ?? null, "the virtual machine ended"));

function take(line) {
  if (line.trim() === "") return;
  let request;
  try {
    request = JSON.parse(line) ?? {};
  } catch (thrown) {
    request = { unread: `the line is no JSON: ${thrown.message}` };
  }
  if ("read" in request) return give(request);
  const { id = null } = request;
  asked.push(id);
  machine.postMessage({ id, request });
}

// A terminal interrupts all its programs at once; who asks here has something to ask still.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

const wasm = createRequire(createRequire(import.meta.url).resolve("@stacks/clarinet-sdk"));
tell({ "chainscope-clarity": protocol, forks: true, vm: `clarinet-sdk ${wasm("@stacks/clarinet-sdk-wasm/package.json").version}` });
readline
  .createInterface({ input: process.stdin, crlfDelay: Infinity })
  .on("line", take)
  // Who asked is gone, and what a thread does has no use any more. Nothing is under way that never ends: no
  // file is opened but regular ones.
  .on("close", () => process.exit(0));
