#!/usr/bin/env node
// Runs Clarity contracts in the virtual machine of the Clarinet SDK. One line of JSON on
// stdin asks for one thing, one line on stdout answers it, in the order of the questions.
// docs/engine.md of chainscope describes the lines.

import { createRequire } from "node:module";
import readline from "node:readline";
import { Worker } from "node:worker_threads";

const protocol = 1;

// Thread is a thread with virtual machines of its own.
class Thread {
  // The first session of a machine that hurries is ready sooner, the second one later.
  constructor(hurries) {
    this.waiting = new Map();
    this.asked = 0;
    this.fault = null; // why it cannot be used any more
    this.worker = new Worker(new URL("./machine.js", import.meta.url), { workerData: { hurries } });
    this.worker.on("message", ({ id, ...answer }) => {
      if (answer.error?.kind === "broken") this.fault ??= answer;
      this.waiting.get(id)(answer);
      this.waiting.delete(id);
    });
    this.worker.on("error", (thrown) => this.fail(String(thrown?.message ?? thrown)));
    this.worker.on("exit", () => this.fail("the virtual machine ended"));
  }

  // ask resolves to what answers a question: it has ok or error.
  ask(request) {
    if (this.fault) return Promise.resolve(this.fault);
    const id = ++this.asked;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.worker.postMessage({ id, request });
    });
  }

  fail(message) {
    this.fault ??= { error: { kind: "broken", message } };
    for (const resolve of this.waiting.values()) resolve(this.fault);
    this.waiting.clear();
  }
}

// Everything that happens in a session of one thread happens in the other too, one call
// later: when the newest call is taken back, the other one stands right before it, and goes
// on. The second thread is started when the first is ready, since both would be later.
const threads = [new Thread(true)];

// Session is a session in both threads.
class Session {
  constructor(opened) {
    this.opened = opened;
    this.steps = [];
    this.before = 0; // steps up to the newest call or deploy
    this.followed = 0; // steps that the thread that follows was told
    this.ahead = 0; // the thread that has all steps
  }

  first() {
    return threads[this.ahead];
  }

  // second is the thread that follows, if it is there.
  second() {
    const other = threads[1 - this.ahead];
    return other?.fault ? undefined : other;
  }

  // follow tells the other thread the steps up to a number.
  follow(end) {
    const second = this.second();
    if (!second || end <= this.followed) return undefined;
    const steps = this.steps.slice(this.followed, end);
    this.followed = end;
    return second.ask({ do: "follow", session: this.opened.session, steps });
  }

  // step does one thing in the thread that is ahead.
  async step(request) {
    const answer = await this.first().ask(request);
    if (answer.ok && answer.ok.kept !== false) {
      const { id, session, ...step } = request;
      this.steps.push(step);
      if (step.do === "call" || step.do === "deploy") {
        this.follow(this.before);
        this.before = this.steps.length;
      }
    }
    return answer;
  }

  // back takes steps back: in the thread that follows, which mostly has none of them. The one
  // that was ahead takes them back in its own time.
  async back(request) {
    const { at } = request;
    if (!(at >= 0 && at <= this.steps.length)) return this.first().ask(request);
    const second = this.second();
    if (!second) return this.taken(await this.first().ask(request), at);
    this.follow(at);
    const answer = await second.ask(request);
    this.first().ask(request);
    this.ahead = 1 - this.ahead;
    return this.taken(answer, at);
  }

  // trial answers what a public function would. It is called in the thread that follows, which
  // takes back what it changed in its own time.
  async trial(request) {
    if (!this.second()) return this.first().ask(request);
    this.follow(this.steps.length);
    const answer = await this.second().ask(request);
    this.followed = this.before;
    this.second()?.ask({ do: "back", session: request.session, at: this.before });
    return answer.error?.kind === "broken" ? this.first().ask(request) : answer;
  }

  taken(answer, at) {
    this.steps.length = at;
    this.before = Math.min(this.before, at);
    this.followed = Math.min(this.followed, at);
    return answer;
  }
}

const sessions = new Map();

async function open(request) {
  const answer = await threads[0].ask(request);
  if (!answer.ok) return answer;
  sessions.set(request.session, new Session(request));
  if (threads.length === 1) threads.push(new Thread(false));
  threads[1].ask(request);
  return answer;
}

async function fork(session, request) {
  const answer = await session.first().ask(request);
  if (!answer.ok) return answer;
  const copy = new Session({ ...session.opened, session: request.to });
  copy.steps = session.steps.slice(0, answer.ok.at);
  copy.ahead = session.ahead;
  copy.second()?.ask(copy.opened);
  sessions.set(request.to, copy);
  return answer;
}

function close(session, request) {
  session.second()?.ask(request);
  sessions.delete(request.session);
  return session.first().ask(request);
}

// coverage writes what the threads have reached as an lcov file, in which SF has the name of a
// contract.
async function coverage() {
  const files = new Map();
  for (const thread of threads.filter((t) => !t.fault)) {
    const { ok } = await thread.ask({ do: "coverage" });
    for (const [contract, lines] of ok?.reached ?? []) {
      if (!files.has(contract)) files.set(contract, new Map());
      for (const [what, hit] of lines) files.get(contract).set(what, hit || files.get(contract).get(what) === true);
    }
  }
  const counted = ([what, hit]) => {
    const [kind, rest] = what.split(/:(.*)/s);
    if (kind === "FN") return what;
    return kind === "FNDA" ? `FNDA:${hit ? 1 : 0},${rest}` : `${what},${hit ? 1 : 0}`;
  };
  return { ok: { lcov: [...files].map(([name, lines]) => `SF:${name}\n${[...lines].map(counted).join("\n")}\nend_of_record\n`).join("") } };
}

// handle answers a question in the thread that can.
function handle(request) {
  const session = sessions.get(request.session);
  if (request.do === "open") return open(request);
  if (request.do === "coverage") return coverage();
  if (!session) return threads[0].ask(request);
  switch (request.do) {
    case "mine":
    case "balances":
    case "deploy":
    case "call":
      return session.step(request);
    case "back":
      return session.back(request);
    case "read":
      return request.public ? session.trial(request) : session.first().ask(request);
    case "fork":
      return fork(session, request);
    case "close":
      return close(session, request);
  }
  return session.first().ask(request);
}

const tell = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function answer(line) {
  let request;
  try {
    request = JSON.parse(line);
  } catch (thrown) {
    return tell({ id: null, error: { kind: "request", message: `the line is no JSON: ${thrown.message}` } });
  }
  const { id = null } = request;
  const answer = await handle(request);
  tell({ id, ...answer });
  // The virtual machine cannot be used after a fault of its own.
  if (answer.error?.kind === "broken") process.stdout.write("", () => process.exit(70));
}

// A terminal interrupts all its programs at once; who asks here has something to ask still.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

const wasm = createRequire(createRequire(import.meta.url).resolve("@stacks/clarinet-sdk"));
tell({ "chainscope-clarity": protocol, vm: `clarinet-sdk ${wasm("@stacks/clarinet-sdk-wasm/package.json").version}` });
let last = Promise.resolve();
readline
  .createInterface({ input: process.stdin, crlfDelay: Infinity })
  .on("line", (line) => {
    if (line.trim() !== "") last = last.then(() => answer(line));
  })
  // Who asked is gone, and what a thread does has no use any more.
  .on("close", () => process.exit(0));
