// A thread that runs contracts in the virtual machine of the Clarinet SDK. What it is posted it
// answers in order.

import * as fs from "node:fs/promises";
import { parentPort } from "node:worker_threads";
import { lcov } from "./coverage.js";
import { blame, builtin, bytes, plan as readPlan, tidy } from "./instance.js";
import { Unread, forget, unread } from "./remote.js";
import { Session, after, collect, rest, sessions, status } from "./session.js";

const restAfter = 25; // ms in which nobody asks for anything
const repeats = 5; // ms of what had to be done again, from which on it is worth an image

// What the virtual machine prints: it tells there where an error happened.
let said = [];
for (const kind of ["log", "info", "warn", "error", "debug"]) {
  console[kind] = (...words) => said.length < 200 && said.push(words.map(String).join(" "));
}

// Contracts need no network.
const noNetwork = () => Promise.reject(new Error("no network"));
globalThis.fetch = noNetwork;

// readRegular reads a file of a project. Anything else might never end.
async function readRegular(path) {
  if (!(await fs.stat(path)).isFile()) throw new Error(`${path} is no regular file`);
  return fs.readFile(path, "latin1");
}

// newest is what "latest" means: the newest epoch of the virtual machine.
const newest = '"4.0"';
const dated = (manifest) => manifest.replace(/^(\s*epoch\s*=\s*)(["'])latest\2/gm, `$1${newest}`);

// plan reads a Clarinet project and returns how it is deployed, as Clarinet writes it down.
// Nothing is written. Requirements that are not in the project's cache are taken from sources, by
// their ids; missing are those that are not there either.
async function plan(project, sources) {
  const missing = new Set();
  const contracts = new Map();
  let text = "";
  const reads = async (path) => {
    const read = await readRegular(path);
    if (path.endsWith(".clar")) contracts.set(path, read);
    return path.endsWith("Clarinet.toml") ? dated(read) : read;
  };
  const onlyReads = async (action, { path, paths, content }) => {
    switch (action) {
      case "vfs/exists":
        return fs.stat(path).then(() => true, () => false);
      case "vfs/readFile": {
        const read = await reads(path);
        if (path.endsWith("simnet-plan.yaml")) text = Buffer.from(read, "latin1").toString();
        return read;
      }
      case "vfs/readFiles":
        return Object.fromEntries(await Promise.all(paths.map(async (p) => [p, await reads(p)])));
      default:
        if (path.endsWith("simnet-plan.yaml")) text = Buffer.from(content).toString();
        return undefined;
    }
  };
  // The SDK reads from an API what the cache lacks. To it all of that is as old as the network, so that
  // it comes first; chainscope deploys it with the version that it has.
  const fromSources = async (request) => {
    const id = decodeURIComponent(String(request?.url ?? request).split("/contract/")[1] ?? "");
    const given = Object.hasOwn(sources, id) ? sources[id] : null;
    if (!given) {
      missing.add(id);
      throw new Error("not there");
    }
    const answer = Response.json({ tx_id: `0x${"00".repeat(32)}`, canonical: true, contract_id: id, block_height: 1, clarity_version: 1, source_code: given.source, abi: null });
    return Object.defineProperty(answer, "url", { value: String(request?.url ?? request) }); // which the SDK reads
  };
  globalThis.fetch = fromSources;
  try {
    await readPlan(onlyReads, project);
  } catch (thrown) {
    if (missing.size === 0) throw await blame(thrown, contracts);
  } finally {
    globalThis.fetch = noNetwork;
  }
  return { plan: text, missing: [...missing] };
}

// failure is why the virtual machine ended a call or refused a contract.
function failure(thrown) {
  const message = String(thrown?.message ?? thrown);
  const told = said.join("\n");
  const out = { message: message.replace(/^.*? -> /s, "") };
  const where = told.match(/Error occured in (\S+):(\d+):(\d+)/);
  if (where) Object.assign(out, { contract: where[1], line: Number(where[2]), column: Number(where[3]) });
  const expression = told.match(/Expression:\s*\n([\s\S]*?)\nError: /);
  if (expression) out.expression = expression[1].replace(/\s+/g, " ").trim();
  const error = told.match(/Expression:[\s\S]*?\nError: ([^\n]*)/) ?? told.match(/\nError: ([^\n]*)/);
  if (error) out.error = error[1].trim();
  if (out.error?.startsWith("EarlyReturn")) {
    // The machine names the place where a function returned early that was called before.
    out.error = message.match(/Runtime\((\w+)/)?.[1] ?? out.error;
    for (const key of ["contract", "line", "column", "expression"]) delete out[key];
  }
  const stack = told.match(/Stack Trace: *\n([\s\S]*)$/);
  if (stack) out.stack = stack[1].split("\n").map((s) => s.trim()).filter(Boolean);
  return out;
}

// ends reports whether the virtual machine cannot be used after something that it threw.
const ends = (thrown) => thrown instanceof WebAssembly.RuntimeError || thrown instanceof RangeError;

function sessionOf({ session }) {
  const found = sessions.get(session);
  if (!found) throw new Error(`there is no session ${JSON.stringify(session)}`);
  return found;
}

const longest = 1 << 20; // characters of a trace

// traced is the trace of the call that was just made: what it called, as text.
function traced(session) {
  const trace = session.instance?.sdk?.getLastContractCallTrace() ?? "";
  return trace.length > longest ? undefined : trace;
}

// attempt runs a step and keeps it, unless it changed nothing: a call that answers (err …) does not.
async function attempt(request) {
  const session = sessionOf(request);
  const { id, session: _, ...step } = request;
  said = [];
  try {
    const before = session.steps.length;
    const out = await session.add(step, ({ result }) => step.do === "deploy" || !result?.startsWith("0x08"));
    out.at = session.steps.length;
    out.kept = out.at > before;
    if (step.do === "call") out.trace = traced(session);
    if (step.do === "deploy") out.interface = session.instance.interface(step.contract);
    return out;
  } catch (thrown) {
    if (ends(thrown) || unread()) throw thrown;
    const why = failure(thrown);
    const trace = step.do === "call" ? traced(session) : undefined;
    if (step.do === "deploy" && !why.line) Object.assign(why, session.diagnose(step, why.message));
    return { at: session.steps.length, kept: false, failure: why, trace };
  }
}

// prepare does a step of chainscope's own.
async function prepare(request) {
  const session = sessionOf(request);
  const { id, session: _, ...step } = request;
  try {
    await session.add(step, () => true);
  } catch (thrown) {
    session.spoil();
    throw thrown;
  }
  return { at: session.steps.length };
}

const lookup = (read) => {
  try {
    return read();
  } catch (thrown) {
    if (ends(thrown)) throw thrown;
    return null;
  }
};

// The things that can be asked for.
const things = {
  async plan(request) {
    try {
      return await plan(request.folder, request.sources ?? {});
    } finally {
      setImmediate(tidy);
    }
  },
  async builtin(request) {
    return { source: await builtin(request.contract) };
  },
  async open(request) {
    if (sessions.has(request.session)) throw new Error(`there is a session ${JSON.stringify(request.session)} already`);
    const session = new Session(request);
    const { vm } = await session.ready().catch((thrown) => {
      if (unread()) session.abandon();
      throw thrown;
    });
    sessions.set(request.session, session);
    return { at: 0, stacks: vm.stacksBlockHeight, burn: vm.burnBlockHeight, time: Number(vm.getBlockTime()) };
  },
  mine: prepare,
  balances: prepare,
  deploy: attempt,
  call: attempt,
  async read(request) {
    const session = sessionOf(request);
    const instance = await session.ready();
    session.enter();
    said = [];
    if (request.public) session.spoil();
    try {
      return instance.call(request, session.noted);
    } catch (thrown) {
      if (ends(thrown)) throw thrown;
      return { failure: failure(thrown) };
    }
  },
  async variable(request) {
    const { vm } = await sessionOf(request).ready();
    return { value: lookup(() => vm.getDataVar(request.contract, request.name)) };
  },
  async map(request) {
    const { vm } = await sessionOf(request).ready();
    return { value: lookup(() => vm.getMapEntry(request.contract, request.name, bytes(request.key))) };
  },
  // balances of principals, as contracts see them.
  async holds(request) {
    const instance = await sessionOf(request).ready();
    return { balances: request.principals.map((p) => instance.balance(p)) };
  },
  async back(request) {
    const session = sessionOf(request);
    session.forget(request.at);
    await session.ready(); // here, where nobody thinks that a call hangs
    return { at: session.steps.length };
  },
  // coverage tells what was reached in all sessions.
  async coverage() {
    collect();
    return { lcov: lcov() };
  },
  async fork(request) {
    const from = sessionOf(request);
    const at = request.at ?? from.steps.length;
    const copy = new Session({ ...from, coverage: from.noted, steps: from.steps.slice(0, at), took: from.took.slice(0, at) });
    copy.images = from.images.filter((i) => i.at <= at);
    sessions.set(request.to, copy);
    return { at: copy.steps.length };
  },
  async close(request) {
    sessionOf(request).release();
    sessions.delete(request.session);
    return {};
  },
  async trace(request) {
    const { vm } = await sessionOf(request).ready();
    return { trace: vm.getLastContractCallTrace() ?? "" };
  },
  async status() {
    return status();
  },
};

// throwAway takes back what was done after something could not be read, and says what that was.
async function throwAway(id, request, { what, why }, thrown) {
  sessions.get(request.session)?.undo(thrown && ends(thrown));
  parentPort.postMessage({ id, error: { kind: "unread", message: new Unread({ what, why }).message, what, why } });
}

async function answer({ id, request }) {
  forget();
  try {
    if (request.unread) throw new Error(request.unread);
    const thing = Object.hasOwn(things, request.do) ? things[request.do] : null;
    if (!thing) throw new Error(`${JSON.stringify(request.do)} is nothing that can be asked for; it is one of ${Object.keys(things).join(", ")}`);
    const ok = await thing(request);
    if (unread()) return throwAway(id, request, unread());
    parentPort.postMessage({ id, ok });
    const session = sessions.get(request.session);
    if (session) await after(session, request.do === "back" ? repeats : undefined);
  } catch (thrown) {
    if (unread()) return throwAway(id, request, unread(), thrown);
    const broken = ends(thrown);
    parentPort.postMessage({ id, error: { kind: broken ? "broken" : "request", message: broken ? [thrown, ...said].join("\n").slice(0, 4000) : String(thrown?.message ?? thrown) } });
  }
}

let last = Promise.resolve();
let resting;
parentPort.on("message", (asked) => {
  clearTimeout(resting);
  last = last.then(() => answer(asked));
  resting = setTimeout(() => (last = last.then(rest)), restAfter);
});
