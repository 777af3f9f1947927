// The virtual machine of the Clarinet SDK, as often as it is wanted. Each instance has a memory of
// its own, which can be copied and put back: so what happened in it is taken back, since the SDK
// takes back nothing.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { setFlagsFromString } from "node:v8";
import { compileFunction, runInNewContext } from "node:vm";
import { folder, goOn, noDisk, note } from "./coverage.js";
import { check, requireWith, standOn } from "./remote.js";

// The SDK's own pin of the virtual machine. Without the SDK around it, it is ready sooner.
const require = createRequire(createRequire(import.meta.url).resolve("@stacks/clarinet-sdk"));
const path = require.resolve("@stacks/clarinet-sdk-wasm");
const glue = compileFunction(readFileSync(path, "utf8"), ["module", "exports", "require", "__dirname"], { filename: path });

// Nobody has their keys; they deploy nothing here.
const nobodies = { testnet: "ST000000000000000000002AMW42H", mainnet: "SP000000000000000000002Q6VF78" };
const reportEvery = 500; // calls after which the SDK's own notes of costs are let go
const block = 16 << 10; // bytes that are compared at once
const piece = 1 << 10; // bytes that are kept at once
const mostSpare = 64 << 20; // bytes of a memory that an image does not know of
const mostPieces = 32 << 20; // bytes of pieces, beyond which all is kept

let compiled; // the program, once for all instances

setFlagsFromString("--expose-gc");
// tidy lets go of the memory of instances that are not used any more, which is much, and of which the
// garbage collector knows little.
export const tidy = runInNewContext("gc");

// load runs the SDK's module anew, and returns what it exports together with the instance that it
// makes. Nothing is freed behind its back: what is freed after an older memory was put back may
// be something else there.
function load() {
  const { Module, Instance } = WebAssembly;
  const { FinalizationRegistry } = globalThis;
  let made;
  WebAssembly.Module = function (bytes) {
    return (compiled ??= new Module(bytes));
  };
  WebAssembly.Instance = class extends Instance {
    constructor(...given) {
      super(...given);
      made = this;
    }
  };
  globalThis.FinalizationRegistry = class {
    register() {}
    unregister() {}
  };
  const module = { exports: {} };
  try {
    glue(module, module.exports, requireWith(createRequire(path)), dirname(path));
    return { glue: module.exports, wasm: made.exports };
  } finally {
    Object.assign(WebAssembly, { Module, Instance });
    Object.assign(globalThis, { FinalizationRegistry });
  }
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

// The SDK keeps no contract that has neither functions nor traits, so such a one gets a function that
// nobody is told of.
const unseen = "chainscope-unseen";
const kept = (source) => (/\(\s*define-(public|private|read-only|trait)\s/.test(source.replace(/;;.*/g, "")) ? source : `${source}\n(define-private (${unseen}) true)`);

export const bytes = (hex) => Uint8Array.from(Buffer.from(hex.replace(/^0x/, ""), "hex"));

// told reads an answer of the SDK and frees it.
function told(response) {
  try {
    const costs = JSON.parse(response.costs || "null");
    return { result: response.result, events: JSON.parse(response.events || "[]").map((text) => JSON.parse(text)), cost: costs && costs.total };
  } finally {
    response.free?.();
  }
}

// Instance is a virtual machine with room for one session.
export class Instance {
  constructor() {
    Object.assign(this, load());
    this.owner = null; // the session in it
    this.holds = null; // the image that it is the same as
    this.sender = "";
    this.calls = 0;
    this.nobody = nobodies.testnet;
    this.forked = false; // it goes on from a live chain
  }

  // begin makes a session. With coverage it is one of the project on no disk.
  async begin({ genesis, epoch, coverage, fork }) {
    this.sdk = new this.glue.SDK(noDisk, new this.glue.SDKOptions(true, coverage));
    if (fork) return this.goOn(epoch, fork, coverage);
    await withClock(genesis, () => (coverage ? this.sdk.initSession(folder, `${folder}/Clarinet.toml`, null) : this.sdk.initEmptySession({ enabled: false })));
    this.sdk.deployer = nobodies.testnet;
    this.sdk.setEpoch(epoch);
  }

  // goOn makes a session that goes on from a block of a live chain.
  async goOn(epoch, fork, coverage) {
    const remote = standOn(fork);
    if (coverage) goOn(remote);
    await (coverage ? this.sdk.initSession(folder, `${folder}/Clarinet.toml`, null) : this.sdk.initEmptySession(remote));
    this.forked = true;
    this.nobody = this.sdk.deployer = fork.mainnet ? nobodies.mainnet : nobodies.testnet;
    this.sdk.setEpoch(epoch); // which makes the block, unless it was that epoch before
    if (this.sdk.stacksBlockHeight < fork.height) this.sdk.mineEmptyBurnBlocks(1);
    check();
  }

  memory() {
    return Buffer.from(this.wasm.memory.buffer);
  }

  // save returns an image of the memory: what differs from a whole one, or all of it.
  save(whole) {
    const now = this.memory();
    const table = this.wasm.__wbindgen_externrefs;
    const image = { whole, length: now.length, sender: this.sender, nobody: this.nobody, forked: this.forked, sdk: this.sdk.__wbg_ptr, refs: Array.from({ length: table.length }, (_, i) => table.get(i)) };
    const places = whole ? differing(now, whole.kept) : null;
    if (places && places.length * piece + now.length - whole.length <= mostPieces) {
      image.places = Uint32Array.from(places);
      image.kept = Buffer.allocUnsafeSlow(places.length * piece + now.length - whole.length);
      places.forEach((at, i) => now.copy(image.kept, i * piece, at, at + piece));
      now.copy(image.kept, places.length * piece, whole.length);
    } else {
      Object.assign(image, { whole: null, kept: Buffer.from(now) });
    }
    return (this.holds = image);
  }

  // fits reports whether an image can be put into the memory, which never becomes smaller.
  fits({ length, refs }) {
    const { memory, __wbindgen_externrefs: table } = this.wasm;
    return (memory.buffer.byteLength - length <= mostSpare && table.length === refs.length) || !this.sdk;
  }

  // restore puts an image into the memory.
  restore(image) {
    if (this.holds === image) return;
    const { memory, __wbindgen_externrefs: table } = this.wasm;
    if (memory.buffer.byteLength < image.length) memory.grow((image.length - memory.buffer.byteLength) >> 16);
    const now = this.memory();
    if (image.whole) {
      image.whole.kept.copy(now);
      image.places.forEach((at, i) => image.kept.copy(now, at, i * piece, (i + 1) * piece));
      image.kept.copy(now, image.whole.length, image.places.length * piece);
    } else {
      image.kept.copy(now);
    }
    // The memory has places in the table, such as those of the names of fields that were used before:
    // since the image was made something else may have come to stand there.
    if (table.length < image.refs.length) table.grow(image.refs.length - table.length);
    image.refs.forEach((ref, i) => table.set(i, ref));
    if (!this.sdk) {
      this.sdk = Object.create(this.glue.SDK.prototype, { __wbg_ptr: { value: image.sdk, writable: true } });
    }
    Object.assign(this, { sender: image.sender, nobody: image.nobody, forked: image.forked });
    this.holds = image;
  }

  // vm is the SDK, for whatever may change the memory.
  get vm() {
    this.holds = null;
    return this.sdk;
  }

  become(address) {
    if (this.sender !== address) this.vm.executeCommand(`::set_tx_sender ${address}`);
    this.sender = address;
  }

  // call runs a function in the newest block. The SDK's calls of public functions mine a
  // block each, and those of read-only ones do not, but want to see that in the interface.
  // It looks for that with its own deployer, and for the contract with the sender's.
  call({ contract, function: name, args, sender }, coverage) {
    const [address, short] = contract.split(".");
    this.become(address);
    if (++this.calls % reportEvery === 0 && !coverage) this.vm.collectReport(false, "").free();
    const asked = new this.glue.CallFnArgs(`.${short}`, name, args.map(bytes), sender);
    try {
      return told(this.vm.callReadOnlyFn(asked));
    } finally {
      asked.free();
    }
  }

  // deploy deploys into a block that it makes.
  deploy({ contract, source, clarity }) {
    const [address, name] = contract.split(".");
    const asked = new this.glue.DeployContractArgs(name, kept(source), new this.glue.ContractOptions(clarity), address);
    try {
      return told(this.vm.deployContract(asked));
    } finally {
      asked.free();
    }
  }

  // interface returns the interface of a contract.
  interface(contract) {
    const { functions = [], ...others } = this.vm.getContractsInterfaces().get(contract) ?? {};
    return { functions: functions.filter((f) => f.name !== unseen), ...others };
  }

  // diagnosed returns what is wrong with a source, with places: the SDK tells none where it deploys,
  // but prints them where it encodes the value of a source.
  diagnosed({ contract, source }) {
    this.become(contract.split(".")[0]);
    return this.vm.executeCommand(`::encode ${source}`);
  }

  // batch does what one block has, in which a deploy is not the first: the SDK deploys into a new
  // block only, or with all that the block has. It returns what the last answers.
  batch(steps) {
    let taken = 0n;
    const txs = steps.flatMap((step) => {
      switch (step.do) {
        case "balances":
          for (const [principal, amount] of step.mint ?? []) this.mint(principal, amount);
          for (const token of step.tokens ?? []) this.give(...token);
          return (step.burn ?? []).map(([sender, amount]) => {
            taken += BigInt(amount);
            return { transferSTX: { amount: Number(amount), recipient: this.nobody, sender } };
          });
        case "call":
          return [{ callPublicFn: { contract: step.contract, method: step.function, args: [], args_maps: step.args.map(bytes), sender: step.sender } }];
        default: {
          const [sender, name] = step.contract.split(".");
          return [{ deployContract: { name, content: kept(step.source), options: { clarityVersion: step.clarity, clarity_version: step.clarity }, sender } }];
        }
      }
    });
    try {
      return told(this.vm.mineBlock(txs).at(-1));
    } finally {
      if (taken > 0n && !this.forked) this.burn(this.nobody, taken);
    }
  }

  // mine makes burn blocks, each with a Stacks block, or Stacks blocks.
  mine(burn, stacks) {
    if (burn > 0) this.vm.mineEmptyBurnBlocks(burn);
    if (stacks > 0) this.vm.mineEmptyStacksBlocks(stacks);
  }

  mint(principal, amount) {
    const answer = this.vm.executeCommand(`::mint_stx ${principal} ${amount}`);
    if (!answer.startsWith("→")) throw new Error(`${principal} cannot be given ${amount} micro-STX: ${answer}`);
  }

  give(asset, principal, amount) {
    const answer = this.vm.executeCommand(`::mint_ft ${asset.replace("::", ".")} ${principal} ${amount}`);
    if (!answer.startsWith("→")) throw new Error(`${principal} cannot be given ${amount} of ${asset}: ${answer}`);
  }

  burn(principal, amount) {
    if (principal.includes(".")) throw new Error(`${principal} is a contract, from which nothing can be taken`);
    this.become(principal);
    // Of a live chain the supply is one value more to read, and a fee does not change it.
    const gone = this.forked ? `(stx-transfer? u${amount} tx-sender '${this.nobody})` : `(stx-burn? u${amount} tx-sender)`;
    const { result } = told(this.vm.execute(gone));
    if (!result.startsWith("0x07")) throw new Error(`${amount} micro-STX cannot be taken from ${principal}: ${result}`);
  }

  // balance returns the micro-STX that a principal has and are not locked.
  balance(principal) {
    const { result } = told(this.vm.execute(`(stx-get-balance '${principal})`));
    return BigInt(`0x${result.slice(4)}`).toString();
  }

  // note notes what was reached in contracts since the last time.
  note() {
    if (!this.sdk) return;
    this.vm.setCurrentTestName("chainscope"); // which closes the report of the one before
    const report = this.vm.collectReport(false, "x");
    note(report.coverage);
    report.free();
  }
}

// differing returns where the pieces begin in which two memories differ, the second of which may
// be the shorter one.
function differing(now, then) {
  const places = [];
  for (let at = 0; at < then.length; at += block) {
    if (now.compare(then, at, at + block, at, at + block) === 0) continue;
    for (let p = at; p < at + block; p += piece) {
      if (now.compare(then, p, p + piece, p, p + piece) !== 0) places.push(p);
    }
  }
  return places;
}

// builtin returns the source of a contract that the virtual machine has at first, null for none.
export async function builtin(contract) {
  const { glue } = load();
  const sdk = new glue.SDK(noDisk, new glue.SDKOptions(false, false));
  await sdk.initEmptySession({ enabled: false });
  return sdk.getContractSource(contract) ?? null;
}

// plan reads a Clarinet project with what reads files, and lets its plan be written with it.
export async function plan(reads, project) {
  const { glue } = load();
  await new glue.SDK(reads, new glue.SDKOptions(false, false)).generateDeploymentPlan(project, `${project}/Clarinet.toml`);
}

// blame puts the file and the place that an error is about before it, where it is of a contract.
export async function blame(thrown, sources) {
  const said = String(thrown?.message ?? thrown).replace(/^error: /, "").split("\n")[0];
  const { glue } = load();
  const sdk = new glue.SDK(noDisk, new glue.SDKOptions(false, false));
  await sdk.initEmptySession({ enabled: false });
  for (const [path, source] of sources) {
    const lines = sdk.executeCommand(`::encode ${source}`).split("\n");
    const at = lines.indexOf(`error: ${said}`);
    if (at >= 0) return new Error(`${path}${lines[at + 1].match(/^--> encode(:\d+:\d+)$/)?.[1] ?? ""}: ${said}`);
  }
  return thrown;
}
