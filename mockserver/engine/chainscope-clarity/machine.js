// A thread that runs contracts in the virtual machine of the Clarinet SDK: sessions, and what
// can be asked of them. What it is posted it answers in order.

import * as fs from "node:fs/promises";
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";

const require = createRequire(import.meta.url);
// The SDK's own pin of the virtual machine. Without the SDK around it, it is ready sooner.
const { SDK, SDKOptions, CallFnArgs, ContractOptions, DeployContractArgs } = createRequire(require.resolve("@stacks/clarinet-sdk"))("@stacks/clarinet-sdk-wasm");

const nobody = "ST000000000000000000002AMW42H"; // nobody has its key; it deploys nothing here
const defaultMachines = 4;
const reportEvery = 500; // calls after which the SDK's own notes of costs are let go

// What the virtual machine prints: it tells there where an error happened.
let said = [];
for (const kind of ["log", "info", "warn", "error", "debug"]) {
  console[kind] = (...words) => said.length < 200 && said.push(words.map(String).join(" "));
}

// A project that is on no disk: a session that was made from it once is copied from then
// on, which takes a hundredth of the time. The first one takes twice as long as a session
// without a project.
const folder = "/chainscope";
const files = {
  [`${folder}/Clarinet.toml`]: "",
  [`${folder}/settings/Devnet.toml`]: `[network]\nname = "devnet"\n[accounts.deployer]\nmnemonic = "style dust emerge before artwork medal beach open wrist sugar nasty want"\nbalance = 0\n`,
};

// The SDK tells what was reached only of contracts with a name that stands in its project. One
// of that name is deployed there by somebody who deploys nothing else, with nothing in it.
const named = new Set();
function writeManifest() {
  const contract = (name) => {
    files[`${folder}/${name}.clar`] = "(define-constant nothing u0)";
    return `[contracts.${name}]\npath = "${name}.clar"\nclarity_version = 3\nepoch = "3.0"\n`;
  };
  files[`${folder}/Clarinet.toml`] = `[project]\nname = "chainscope"\nauthors = []\ndescription = ""\ntelemetry = false\nrequirements = []\n[contracts]\n${[...named].map(contract).join("")}[repl.analysis]\npasses = []\n`;
}
writeManifest();

async function noDisk(action, { path, paths }) {
  switch (action) {
    case "vfs/exists":
      return path in files;
    case "vfs/readFile":
      if (!(path in files)) throw new Error(`there is no ${path}`);
      return files[path];
    case "vfs/readFiles":
      return Object.fromEntries(paths.filter((p) => p in files).map((p) => [p, files[p]]));
    default:
      return undefined; // nothing is written
  }
}

// What was reached, for each contract: the lines of an lcov file without their counts, and
// whether it was. What is done again counts as once.
const reached = new Map();
function note(lcov) {
  let of = new Map();
  for (const line of lcov.split("\n")) {
    const [kind, rest = ""] = line.split(/:(.*)/s);
    const parts = rest.split(",");
    if (kind === "SF") {
      const name = rest.slice(rest.lastIndexOf("/") + 1, -".clar".length);
      if (!reached.has(name)) reached.set(name, new Map());
      of = reached.get(name);
    } else if (kind === "FN") {
      of.set(`FN:${rest}`, true);
    } else if (kind === "FNDA") {
      of.set(`FNDA:${parts[1]}`, parts[0] !== "0" || of.get(`FNDA:${parts[1]}`) === true);
    } else if (kind === "DA" || kind === "BRDA") {
      const count = parts.pop();
      const what = `${kind}:${parts.join(",")}`;
      of.set(what, (count !== "0" && count !== "-") || of.get(what) === true);
    }
  }
}

// Contracts need no network, and a project's requirements come from its cache.
globalThis.fetch = () => Promise.reject(new Error("no network"));

// plan reads a Clarinet project and returns how it is deployed, as Clarinet writes it down.
// Nothing is written.
async function plan(project) {
  const missing = [];
  let text = "";
  const reads = async (path) => {
    try {
      return await fs.readFile(path, "latin1");
    } catch (thrown) {
      const requirement = path.match(/requirements[/\\](.+)\.clar$/);
      if (requirement) missing.push(requirement[1]);
      throw thrown;
    }
  };
  const onlyReads = async (action, { path, paths, content }) => {
    switch (action) {
      case "vfs/exists":
        return fs.stat(path).then(() => true, () => false);
      case "vfs/readFile":
        text = path.endsWith("simnet-plan.yaml") ? Buffer.from(await reads(path), "latin1").toString() : text;
        return reads(path);
      case "vfs/readFiles":
        return Object.fromEntries(await Promise.all(paths.map(async (p) => [p, await reads(p)])));
      default:
        text = Buffer.from(content).toString();
        return undefined;
    }
  };
  try {
    await new SDK(onlyReads, new SDKOptions(false, false)).generateDeploymentPlan(project, `${project}/Clarinet.toml`);
  } catch (thrown) {
    if (missing.length === 0) throw thrown;
    throw new Error(`the requirement ${missing[0]} is not in the project's cache; run "clarinet requirements" or "clarinet check" there once`);
  }
  return text;
}

// withClock runs something while the system's clock seems to stand at a time: a session
// takes the time of its first block from it.
async function withClock(seconds, run) {
  const Real = globalThis.Date;
  globalThis.Date = class extends Real {
    constructor(...given) {
      given.length > 0 ? super(...given) : super(seconds * 1000);
    }
    static now() {
      return seconds * 1000;
    }
  };
  try {
    return await run();
  } finally {
    globalThis.Date = Real;
  }
}

// Machine is a virtual machine with room for one session.
class Machine {
  constructor({ genesis, coverage }) {
    this.genesis = genesis;
    this.coverage = coverage;
    this.owner = null; // the session in it
    this.sender = null; // there is no session yet
    this.calls = 0;
    this.hurries = workerData.hurries && !coverage; // the first session is wanted soon
    this.names = 0; // of contracts that the SDK's project had
    this.sdk = new SDK(noDisk, new SDKOptions(true, coverage));
  }

  // clear makes it as it was at first.
  async clear(epoch) {
    const make = this.hurries
      ? () => this.sdk.initEmptySession({ enabled: false })
      : () => this.sdk.initSession(folder, `${folder}/Clarinet.toml`, null);
    this.hurries = false;
    this.collect();
    if (this.names !== named.size) this.sdk.clearCache();
    this.names = named.size;
    await withClock(this.genesis, make);
    this.sdk.deployer = nobody;
    this.sdk.setEpoch(epoch);
    this.sender = "";
  }

  // collect notes what was reached since the last time.
  collect() {
    if (!this.coverage || this.sender === null) return;
    this.sdk.setCurrentTestName("chainscope"); // which closes the report of the one before
    note(this.sdk.collectReport(false, "x").coverage);
  }

  become(address) {
    if (this.sender !== address) this.sdk.executeCommand(`::set_tx_sender ${address}`);
    this.sender = address;
  }

  // call runs a function in the newest block. The SDK's calls of public functions mine a
  // block each, and those of read-only ones do not, but want to see that in the interface.
  // It looks for that with its own deployer, and for the contract with the sender's.
  call({ contract, function: name, args, sender }) {
    const [address, short] = contract.split(".");
    this.become(address);
    if (++this.calls % reportEvery === 0 && !this.coverage) this.sdk.collectReport(false, "");
    return this.sdk.callReadOnlyFn(new CallFnArgs(`.${short}`, name, args.map(bytes), sender));
  }

  // deploy deploys into a block that it makes.
  deploy({ contract, source, clarity }) {
    const [address, name] = contract.split(".");
    return this.sdk.deployContract(new DeployContractArgs(name, source, new ContractOptions(clarity), address));
  }

  mint(principal, amount) {
    const answer = this.sdk.executeCommand(`::mint_stx ${principal} ${amount}`);
    if (!answer.startsWith("→")) throw new Error(`${principal} cannot be given ${amount} micro-STX: ${answer}`);
  }

  give(asset, principal, amount) {
    const answer = this.sdk.executeCommand(`::mint_ft ${asset.replace("::", ".")} ${principal} ${amount}`);
    if (!answer.startsWith("→")) throw new Error(`${principal} cannot be given ${amount} of ${asset}: ${answer}`);
  }

  burn(principal, amount) {
    if (principal.includes(".")) throw new Error(`${principal} is a contract, from which nothing can be taken`);
    this.become(principal);
    const { result } = this.sdk.execute(`(stx-burn? u${amount} tx-sender)`);
    if (!result.startsWith("0x07")) throw new Error(`${amount} micro-STX cannot be taken from ${principal}: ${result}`);
  }
}

const machines = [];
let most = Number(process.env.CHAINSCOPE_CLARITY_SESSIONS) || defaultMachines;

// machineFor gives a machine with the clock and the options of a session: a free one, a new
// one, or that of the session that was used the longest time ago.
function machineFor(session) {
  const fits = (m) => m.genesis === session.genesis && m.coverage === session.coverage;
  let machine = machines.find((m) => !m.owner && fits(m));
  if (!machine && machines.length < most) {
    machine = new Machine(session);
    machines.push(machine);
  }
  if (!machine) {
    const oldest = machines.reduce((a, b) => ((a.owner?.used ?? 0) <= (b.owner?.used ?? 0) ? a : b));
    if (oldest.owner) oldest.owner.machine = null;
    if (fits(oldest)) {
      machine = oldest;
    } else {
      machine = new Machine(session);
      machines[machines.indexOf(oldest)] = machine;
    }
  }
  machine.owner = session;
  return machine;
}

let clock = 0; // counts what is asked for

// Session is what happened on a chain, from which it is made again when something is taken
// back or its machine was needed by another.
class Session {
  constructor({ genesis, epoch = "3.3", coverage = false }) {
    Object.assign(this, { genesis, epoch, coverage, steps: [], machine: null, used: 0 });
  }

  // ready returns a machine in which all steps were done.
  async ready() {
    this.used = ++clock;
    if (this.machine) return this.machine;
    this.machine = machineFor(this);
    await this.machine.clear(this.epoch);
    this.owed = 0; // blocks that are to be made before anything else happens
    this.touched = false; // something happened in the newest block
    for (let i = 0; i < this.steps.length; ) {
      let end = i + 1;
      while (end < this.steps.length && this.steps[end].do !== "mine") end++;
      const block = this.steps.slice(this.steps[i].do === "mine" ? i + 1 : i, end);
      if (this.steps[i].do === "mine") this.step(this.steps[i]);
      if (block.slice(1).some((s) => s.do === "deploy")) this.batch(block);
      else block.forEach((s) => this.step(s));
      i = end;
    }
    return this.machine;
  }

  // settle makes the blocks that are owed.
  settle() {
    if (this.owed > 0) this.machine.sdk.mineEmptyStacksBlocks(this.owed);
    this.owed = 0;
  }

  // step does one thing. The last Stacks block is made late: a deploy makes its own.
  step(step) {
    const { sdk } = this.machine;
    switch (step.do) {
      case "mine":
        for (const [burn, stacks] of step.blocks) {
          if (burn > 0) {
            this.settle();
            sdk.mineEmptyBurnBlocks(burn);
          }
          this.owed += stacks;
        }
        this.touched = false;
        return {};
      case "balances":
        for (const [principal, amount] of step.mint ?? []) this.machine.mint(principal, amount);
        for (const [principal, amount] of step.burn ?? []) this.machine.burn(principal, amount);
        for (const token of step.tokens ?? []) this.machine.give(...token);
        return {};
      case "call":
        this.settle();
        this.touched = true;
        return this.machine.call(step);
      case "deploy":
        if (this.owed === 0) throw new Error("a deploy needs a new block");
        if (this.owed > 1) sdk.mineEmptyStacksBlocks(this.owed - 1);
        this.owed = 0;
        this.touched = true;
        return this.machine.deploy(step);
    }
    throw new Error(`${step.do} is no step`);
  }

  // follow does a step that is known to succeed.
  follow(step) {
    if (step.do === "deploy" && this.touched) this.release(); // made again with that block
    else this.step(step);
  }

  // batch does what one block has, in which a deploy is not the first: the SDK deploys
  // into a new block only, or with all that the block has. It returns what the last answers.
  batch(block) {
    const { sdk } = this.machine;
    if (this.owed === 0) throw new Error("the first block of a burn block takes no deploy");
    if (this.owed > 1) sdk.mineEmptyStacksBlocks(this.owed - 1);
    this.owed = 0;
    this.touched = true;
    let taken = 0n;
    const txs = block.flatMap((step) => {
      switch (step.do) {
        case "balances":
          for (const [principal, amount] of step.mint ?? []) this.machine.mint(principal, amount);
          for (const token of step.tokens ?? []) this.machine.give(...token);
          return (step.burn ?? []).map(([sender, amount]) => {
            taken += BigInt(amount);
            return { transferSTX: { amount: Number(amount), recipient: nobody, sender } };
          });
        case "call":
          return [{ callPublicFn: { contract: step.contract, method: step.function, args: [], args_maps: step.args.map(bytes), sender: step.sender } }];
        default: {
          const [sender, name] = step.contract.split(".");
          return [{ deployContract: { name, content: step.source, options: { clarityVersion: step.clarity, clarity_version: step.clarity }, sender } }];
        }
      }
    });
    try {
      return sdk.mineBlock(txs).at(-1);
    } finally {
      if (taken > 0n) this.machine.burn(nobody, taken);
    }
  }

  // forget drops the steps after the first n.
  forget(n) {
    if (!Number.isInteger(n) || n < 0 || n > this.steps.length) throw new Error(`at must be 0 to ${this.steps.length}, not ${n}`);
    if (n < this.steps.length) this.release();
    this.steps.length = n;
  }

  release() {
    if (this.machine) this.machine.owner = null;
    this.machine = null;
  }
}

const bytes = (hex) => Uint8Array.from(Buffer.from(hex.replace(/^0x/, ""), "hex"));

// answered is what a call or a deploy did, as the protocol has it.
function answered(response) {
  const costs = JSON.parse(response.costs || "null");
  return {
    result: response.result,
    events: JSON.parse(response.events).map((text) => JSON.parse(text)),
    cost: costs && costs.total,
  };
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
  const error = told.match(/\nError: ([^\n]*)/);
  if (error) out.error = error[1].trim();
  const stack = told.match(/Stack Trace: *\n([\s\S]*)$/);
  if (stack) out.stack = stack[1].split("\n").map((s) => s.trim()).filter(Boolean);
  return out;
}

const sessions = new Map();

function sessionOf({ session }) {
  const found = sessions.get(session);
  if (!found) throw new Error(`there is no session ${JSON.stringify(session)}`);
  return found;
}

// attempt runs a step and keeps it, unless it changed nothing.
async function attempt(request) {
  const session = sessionOf(request);
  const { id, session: _, ...step } = request;
  name(session, step);
  await session.ready();
  said = [];
  let response;
  try {
    const late = step.do === "deploy" && session.touched;
    response = late ? await again(session, step) : session.step(step);
  } catch (thrown) {
    if (thrown instanceof WebAssembly.RuntimeError) throw thrown;
    return { at: session.steps.length, kept: false, failure: failure(thrown) };
  }
  const out = answered(response);
  out.kept = !out.result.startsWith("0x08"); // (err …) changes nothing
  if (out.kept) session.steps.push(step);
  out.at = session.steps.length;
  if (step.do === "deploy") {
    out.interface = session.machine.sdk.getContractsInterfaces().get(step.contract);
  }
  return out;
}

// name lets a session be made anew in which it is noted what is reached in a contract of a new
// name.
function name(session, step) {
  const short = step.do === "deploy" && session.coverage && step.coverage !== false ? step.contract.split(".")[1] : "";
  if (short === "" || named.has(short)) return;
  named.add(short);
  writeManifest();
  session.release();
}

// again makes a session anew up to its newest block, and then that block with one deploy more.
async function again(session, step) {
  const all = session.steps;
  const start = all.findLastIndex((s) => s.do === "mine") + 1;
  session.release();
  session.steps = all.slice(0, start);
  try {
    await session.ready();
    return session.batch([...all.slice(start), step]);
  } finally {
    session.steps = all;
  }
}

const lookup = (read) => {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof WebAssembly.RuntimeError) throw thrown;
    return null;
  }
};

// The things that can be asked for.
const things = {
  async plan(request) {
    return { plan: await plan(request.folder) };
  },
  // builtin tells the source of a contract that the virtual machine has at first.
  async builtin(request) {
    const sdk = new SDK(noDisk, new SDKOptions(false, false));
    await sdk.initEmptySession({ enabled: false });
    return { source: sdk.getContractSource(request.contract) ?? null };
  },
  async open(request) {
    if (sessions.has(request.session)) throw new Error(`there is a session ${JSON.stringify(request.session)} already`);
    const session = new Session(request);
    const { sdk } = await session.ready();
    sessions.set(request.session, session);
    return { at: 0, stacks: sdk.stacksBlockHeight, burn: sdk.burnBlockHeight, time: Number(sdk.getBlockTime()) };
  },
  async mine(request) {
    const session = sessionOf(request);
    await session.ready();
    const step = { do: "mine", blocks: request.blocks };
    session.step(step);
    session.steps.push(step);
    return { at: session.steps.length };
  },
  async balances(request) {
    const session = sessionOf(request);
    await session.ready();
    const step = { do: "balances", mint: request.mint, burn: request.burn, tokens: request.tokens };
    session.step(step);
    session.steps.push(step);
    return { at: session.steps.length };
  },
  deploy: attempt,
  call: attempt,
  async read(request) {
    const session = sessionOf(request);
    const machine = await session.ready();
    session.settle();
    said = [];
    // What a public function changed is taken back by making the session anew.
    if (request.public) session.release();
    try {
      return answered(machine.call(request));
    } catch (thrown) {
      if (thrown instanceof WebAssembly.RuntimeError) throw thrown;
      return { failure: failure(thrown) };
    }
  },
  async variable(request) {
    const { sdk } = await sessionOf(request).ready();
    return { value: lookup(() => sdk.getDataVar(request.contract, request.name)) };
  },
  async map(request) {
    const { sdk } = await sessionOf(request).ready();
    return { value: lookup(() => sdk.getMapEntry(request.contract, request.name, bytes(request.key))) };
  },
  async back(request) {
    const session = sessionOf(request);
    session.forget(request.at);
    await session.ready(); // here, where nobody thinks that a call hangs
    return { at: session.steps.length };
  },
  // follow does steps that another thread has done. Who has no machine has time.
  async follow(request) {
    const session = sessionOf(request);
    const ready = session.machine || machines.length < most || machines.some((m) => !m.owner);
    if (ready) await session.ready();
    for (const step of request.steps) {
      name(session, step);
      try {
        if (session.machine) session.follow(step);
      } finally {
        session.steps.push(step);
      }
    }
    return { at: session.steps.length };
  },
  // coverage tells what was reached in all sessions, as an lcov file without counts.
  async coverage() {
    for (const machine of machines) machine.collect();
    return { reached: [...reached].map(([contract, lines]) => [contract, [...lines]]) };
  },
  async fork(request) {
    const from = sessionOf(request);
    const copy = new Session(from);
    copy.steps = from.steps.slice(0, request.at ?? from.steps.length);
    sessions.set(request.to, copy);
    return { at: copy.steps.length };
  },
  async close(request) {
    sessionOf(request).release();
    sessions.delete(request.session);
    return {};
  },
  async trace(request) {
    const { sdk } = await sessionOf(request).ready();
    return { trace: sdk.getLastContractCallTrace() ?? "" };
  },
};

async function answer({ id, request }) {
  try {
    const thing = Object.hasOwn(things, request.do) ? things[request.do] : null;
    if (!thing) throw new Error(`${JSON.stringify(request.do)} is nothing that can be asked for; it is one of ${Object.keys(things).filter((t) => t !== "follow").join(", ")}`);
    parentPort.postMessage({ id, ok: await thing(request) });
  } catch (thrown) {
    const broken = thrown instanceof WebAssembly.RuntimeError;
    parentPort.postMessage({ id, error: { kind: broken ? "broken" : "request", message: broken ? said.join("\n").slice(0, 4000) : String(thrown?.message ?? thrown) } });
  }
}

let last = Promise.resolve();
parentPort.on("message", (asked) => {
  last = last.then(() => answer(asked));
});
