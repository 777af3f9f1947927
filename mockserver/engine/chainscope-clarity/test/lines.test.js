// Speaks to the program as chainscope does.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import readline from "node:readline";
import { before, test } from "node:test";

const deployer = "ST1PQHQKV0RJXZFY1DGX8MNSNYVE3VGZJSRTPGZGM";
const caller = "ST1SJ3DTE5DN7X54YDH5D64R3BCB6A2AG2ZQ8YPD5";
const contract = `${deployer}.counter`;
const uint = (n) => `0x01${BigInt(n).toString(16).padStart(32, "0")}`;

const source = `
(define-data-var total uint u0)
(define-map seen principal uint)
(define-constant deployed-at stacks-block-height)
(define-public (add (n uint))
  (begin
    (map-set seen tx-sender n)
    (var-set total (+ (var-get total) n))
    (print {added: n})
    (ok (var-get total))))
(define-public (subtract (n uint))
  (ok (var-set total (- (var-get total) n))))
(define-public (refuse) (err u77))
(define-public (who) (ok {caller: contract-caller, sender: tx-sender}))
(define-read-only (heights)
  (list deployed-at stacks-block-height burn-block-height tenure-height stacks-block-time))
(define-read-only (balance (of principal)) (stx-get-balance of))
`;

let program;
let answers;
let next = 0;

async function ask(thing, request = {}) {
  const id = ++next;
  program.stdin.write(`${JSON.stringify({ id, do: thing, session: "s", ...request })}\n`);
  const { value } = await answers.next();
  const answer = JSON.parse(value);
  assert.equal(answer.id, id, value);
  return answer;
}

const ok = async (thing, request) => {
  const answer = await ask(thing, request);
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer.ok;
};
const call = (name, args = [], sender = caller) => ok("call", { contract, function: name, args, sender });
const read = async (name, args = []) => (await ok("read", { contract, function: name, args, sender: caller })).result;
const heights = async () => {
  const text = await read("heights");
  return text.slice(12).match(/.{34}/g).map((item) => Number(BigInt(`0x${item.slice(2)}`)));
};
const deploy = (text = source, name = contract) => ok("deploy", { contract: name, source: text, clarity: 4 });

before(async () => {
  program = spawn(process.execPath, [new URL("../chainscope-clarity.js", import.meta.url).pathname]);
  answers = readline.createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  const hello = JSON.parse((await answers.next()).value);
  assert.equal(hello["chainscope-clarity"], 1);
  assert.match(hello.vm, /^clarinet-sdk 3\.21\.0$/);
  assert.deepEqual(await ok("open", { genesis: 1_700_000_000, epoch: "3.3" }), { at: 0, stacks: 1, burn: 1, time: 1_700_000_610 });
});

test("a contract runs", async () => {
  await ok("mine", { blocks: [[0, 9]] });
  const made = await deploy();
  assert.equal(made.kept, true);
  assert.deepEqual(made.interface.functions.map((f) => f.name).sort(), ["add", "balance", "heights", "refuse", "subtract", "who"]);
  const added = await call("add", [uint(5)]);
  assert.equal(added.result, `0x07${uint(5).slice(2)}`);
  assert.equal(added.events[0].event, "print_event");
  assert.ok(added.cost.runtime > 0);
  assert.equal((await ok("variable", { contract, name: "total" })).value, uint(5));
  assert.equal((await ok("variable", { contract, name: "nothing" })).value, null);
  const key = "0x051a" + "00".repeat(20);
  assert.equal((await ok("map", { contract, name: "seen", key })).value, null);
  const caller = `0x051a${(await call("who")).result.match(/051a([0-9a-f]{40})/)[1]}`;
  assert.equal((await ok("map", { contract, name: "seen", key: caller })).value, `0x0a${uint(5).slice(2)}`);
});

test("the sender calls, and no block is made by calls", async () => {
  const { result } = await call("who");
  const parties = result.match(/051a[0-9a-f]{40}/g);
  assert.equal(parties.length, 2);
  assert.equal(parties[0], parties[1]);
  assert.deepEqual((await heights()).slice(0, 4), [10, 10, 1, 1]);
});

test("heights and times are those of an even clock", async () => {
  await ok("mine", { blocks: [[0, 50], [1, 0]] });
  assert.deepEqual(await heights(), [10, 61, 2, 2, 1_700_000_600 + 610]);
  await ok("mine", { blocks: [[0, 59], [1, 0], [0, 9]] });
  assert.deepEqual(await heights(), [10, 130, 3, 3, 1_700_000_600 + 1300]);
});

test("a failure says where", async () => {
  const { kept, failure } = await call("subtract", [uint(1000)]);
  assert.equal(kept, false);
  assert.equal(failure.error, "ArithmeticUnderflow");
  assert.equal(failure.line, 12);
  assert.equal(failure.expression, "( - ( var-get total ) n )");
  assert.equal(failure.stack.at(-1), "_native_:native_sub");
  assert.equal((await call("refuse")).kept, false);
  const bad = await deploy("(define-public (x) (ok (+ u1 true)))", `${deployer}.bad`);
  assert.match(bad.failure.message, /expecting expression of type 'uint', found 'bool'/);
  for (const [text, line, column, message] of [
    ["(define-public (x)\n  (ok (+ u1 true)))", 2, 7, "expecting expression of type 'uint', found 'bool'"],
    ["(define-public (x)\n  (ok u1)", 2, 10, "expected closing ')'"],
    ["(define-public (x)\n  (contract-call? .none go))", 2, 4, `use of unresolved contract '${deployer}.none'`],
    [";; (\n(define-constant a u0) (define-constant t \"(\\\"\") {a: 1}\n (define-constant b\n  (- a u1))\n(define-constant c u2)", 3, 2, /ArithmeticUnderflow/],
    ["(define-read-only (f) (g))\n(define-read-only (g) (h))\n(define-constant a (- u0 u1))\n(define-read-only (h) 1)", undefined, undefined, /ArithmeticUnderflow/],
  ]) {
    const { at } = await ok("mine", { blocks: [[0, 1]] });
    const { kept, failure } = await deploy(text, `${deployer}.bad`);
    assert.equal(kept, false);
    assert.deepEqual([failure.line, failure.column], [line, column], text);
    if (message instanceof RegExp) assert.match(failure.message, message);
    else assert.equal(failure.message, message);
    await ok("back", { at: at - 1 });
  }
});

test("a contract whose last expression is an error is kept", async () => {
  const { at } = await ok("mine", { blocks: [[0, 1]] });
  const { kept } = await deploy("(define-read-only (x) u1)\n(if true (err u1) (ok u2))", `${deployer}.errs`);
  assert.equal(kept, true);
  const { result } = await ok("read", { contract: `${deployer}.errs`, function: "x", args: [], sender: caller });
  assert.equal(result, uint(1));
  await ok("back", { at: at - 1 });
});

test("several deploys in one block", async () => {
  const small = "(define-constant at stacks-block-height) (define-read-only (heights) (list at stacks-block-height))";
  await ok("mine", { blocks: [[0, 1]] });
  await call("add", [uint(1)]);
  assert.equal((await deploy(small, `${deployer}.one`)).kept, true);
  assert.equal((await deploy(small, `${deployer}.two`)).kept, true);
  assert.equal((await deploy("(nonsense)", `${deployer}.bad`)).kept, false);
  assert.equal((await call("add", [uint(1)])).result, `0x07${uint(7).slice(2)}`);
  for (const name of ["one", "two"]) {
    const { result } = await ok("read", { contract: `${deployer}.${name}`, function: "heights", args: [], sender: caller });
    assert.deepEqual(result.slice(12).match(/.{34}/g).map((x) => parseInt(x.slice(2), 16)), [131, 131]);
  }
});

test("balances come and go", async () => {
  const standard = `0x051a${(await call("who")).result.match(/051a([0-9a-f]{40})/)[1]}`;
  await ok("balances", { mint: [[caller, "100"], [contract, "5"]] });
  await ok("balances", { burn: [[caller, "30"]] });
  assert.equal(await read("balance", [standard]), uint(70));
  assert.match((await ask("balances", { burn: [[caller, "71"]] })).error.message, /71 micro-STX cannot be taken/);
});

test("back and fork", async () => {
  const { at } = await call("add", [uint(100)]);
  await ok("fork", { to: "copy", at });
  assert.equal((await ok("back", { at: at - 1 })).at, at - 1);
  assert.equal((await ok("variable", { contract, name: "total" })).value, uint(7));
  assert.equal((await ok("variable", { session: "copy", contract, name: "total" })).value, uint(107));
  await ok("close", { session: "copy" });
  assert.match((await ask("variable", { session: "copy", contract, name: "total" })).error.message, /there is no session "copy"/);
});

test("again and again, at random, what was called is taken back", async () => {
  const marks = [{ at: (await ok("mine", { blocks: [[0, 1]] })).at, total: 7n }];
  let random = 20260301;
  for (let i = 0; i < 120; i++) {
    random = (random * 1103515245 + 12345) % 2147483648;
    if (random % 3 === 0) {
      const taken = random % 5 === 0 ? random % 11 : 1;
      marks.length = Math.max(1, marks.length - taken);
      await ok("back", { at: marks.at(-1).at });
    } else if (random % 7 === 0) {
      const trial = await ok("read", { contract, function: "add", args: [uint(1)], sender: caller, public: true });
      assert.equal(trial.result, `0x07${uint(marks.at(-1).total + 1n).slice(2)}`);
    } else {
      await ok("mine", { blocks: [[random % 2, 1]] });
      const { at, result } = await call("add", [uint(i)]);
      marks.push({ at, total: marks.at(-1).total + BigInt(i) });
      assert.equal(result, `0x07${uint(marks.at(-1).total).slice(2)}`);
    }
    assert.equal((await ok("variable", { contract, name: "total" })).value, uint(marks.at(-1).total));
  }
});

// More sessions than there are instances, some of which have an image and some of which have not.
test("who was put to sleep wakes as it was", async () => {
  const names = Array.from({ length: 7 }, (_, i) => `w${i}`);
  for (const [i, session] of names.entries()) {
    await ok("open", { session, genesis: 1_700_000_000, epoch: "3.3" });
    await ok("mine", { session, blocks: [[0, 20 + i]] });
    await ok("deploy", { session, contract, source, clarity: 4 });
  }
  for (let round = 1; round <= 3; round++) {
    for (const [i, session] of names.entries()) {
      for (let n = 0; n < (i === 0 ? 60 : 1); n++) await ok("call", { session, contract, function: "add", args: [uint(i)], sender: caller });
      const { result } = await ok("read", { session, contract, function: "heights", args: [], sender: caller });
      assert.deepEqual(result.slice(12).match(/.{34}/g).slice(0, 2).map((x) => parseInt(x.slice(2), 16)), [21 + i, 21 + i]);
    }
  }
  for (const [i, session] of names.entries()) {
    assert.equal((await ok("variable", { session, contract, name: "total" })).value, uint(i * 3));
  }
  const { awake, sessions, memory } = await ok("status");
  assert.deepEqual([awake, sessions], [4, 8]);
  assert.ok(memory > 100 << 20 && memory < 1.5 * (1 << 30), `${memory} bytes`);
  for (const session of names) await ok("close", { session });
  assert.equal((await ok("status")).sessions, 1);
});

test("months pass, and what was called then is taken back", async () => {
  const { at } = await ok("mine", { blocks: Array.from({ length: 8640 }, (_, i) => [i % 2, 59 * (1 - (i % 2))]) });
  const [, stacks] = await heights();
  const total = async () => (await ok("variable", { contract, name: "total" })).value;
  const before = await total();
  for (let i = 0; i < 3; i++) {
    await call("add", [uint(1)]);
    await ok("back", { at });
    assert.equal(await total(), before);
    assert.equal((await heights())[1], stacks);
  }
});

test("a deploy into a block of which an image was made when a call had failed in it", async () => {
  for (let i = 0; i < 60; i++) await call("add", [uint(1)]); // enough to be worth an image
  const { at } = await ok("mine", { blocks: [[0, 1]] });
  assert.equal((await call("refuse")).kept, false);
  await new Promise((rested) => setTimeout(rested, 300));
  const made = await deploy("(define-read-only (here) stacks-block-height)", `${deployer}.late`);
  assert.equal(made.kept, true, JSON.stringify(made));
  assert.equal(made.at, at + 1);
  await ok("back", { at });
});

test("a deploy into a block in which something was read", async () => {
  const { at } = await ok("mine", { blocks: [[0, 1]] });
  const [, height] = await heights();
  const made = await deploy("(define-constant at stacks-block-height) (define-read-only (here) at)", `${deployer}.late`);
  assert.equal(made.kept, true, JSON.stringify(made));
  const { result } = await ok("read", { contract: `${deployer}.late`, function: "here", args: [], sender: caller });
  assert.equal(result, uint(height));
  await ok("back", { at });
});

test("a contract without functions is one too", async () => {
  const { at } = await ok("mine", { blocks: [[0, 1]] });
  const name = `${deployer}.idle`;
  const made = await deploy("(define-data-var held uint u7) ;; (define-public (no) (ok true))\n(print (var-get held))", name);
  assert.equal(made.kept, true, JSON.stringify(made));
  assert.deepEqual(made.interface.functions, []);
  assert.equal(made.interface.variables[0].name, "held");
  assert.equal(made.events.length, 1);
  assert.equal((await ok("variable", { contract: name, name: "held" })).value, uint(7));
  assert.equal((await deploy("(define-constant a u1)", `${deployer}.later`)).kept, true);
  await ok("back", { at });
});

test("what cannot be asked for", async () => {
  assert.match((await ask("dance")).error.message, /"dance" is nothing that can be asked for/);
  assert.match((await ask("back", { at: 1e6 })).error.message, /at must be 0 to/);
  program.stdin.write("nonsense\n");
  assert.match(JSON.parse((await answers.next()).value).error.message, /the line is no JSON/);
  program.stdin.write("null\n");
  assert.match(JSON.parse((await answers.next()).value).error.message, /is nothing that can be asked for/);
});

test("what was reached is told, also what was taken back", async () => {
  await ok("open", { session: "seen", genesis: 1_700_000_000, epoch: "3.3", coverage: true });
  const { at } = await ok("mine", { session: "seen", blocks: [[0, 1]] });
  const text = "(define-public (choose (n uint))\n  (if (> n u10)\n    (ok u1)\n    (err n)))\n(define-public (never)\n  (ok true))\n";
  await ok("deploy", { session: "seen", contract: `${deployer}.chosen`, source: text, clarity: 4 });
  await ok("call", { session: "seen", contract: `${deployer}.chosen`, function: "choose", args: [uint(11)], sender: caller });
  await ok("back", { session: "seen", at });
  const { lcov } = await ok("coverage");
  assert.match(lcov, /^SF:chosen\n/);
  for (const line of ["DA:1,1", "DA:3,1", "DA:4,0", "DA:6,0", "FNDA:1,choose"]) assert.ok(lcov.includes(`${line}\n`), `${line} is not in\n${lcov}`);
});

test("tokens come from nowhere, and stay when something is taken back", async () => {
  await ok("open", { session: "coins", genesis: 1_700_000_000, epoch: "3.3" });
  await ok("mine", { session: "coins", blocks: [[0, 1]] });
  const coin = `${deployer}.coin`;
  const text = "(define-fungible-token coin) (define-read-only (of (who principal)) (ft-get-balance coin who)) (define-public (burn) (ft-burn? coin u1 tx-sender))";
  await ok("deploy", { session: "coins", contract: coin, source: text, clarity: 4, coverage: false });
  const of = async () => (await ok("read", { session: "coins", contract: coin, function: "of", args: ["0x051a7321b74e2b6a7e949e6c4ad313035b1665095017"], sender: caller })).result;
  const { at } = await ok("balances", { session: "coins", tokens: [[`${coin}::coin`, caller, "900"]] });
  assert.equal(await of(), uint(900));
  await ok("mine", { session: "coins", blocks: [[0, 1]] });
  await ok("back", { session: "coins", at });
  assert.equal(await of(), uint(900));
  const { error } = await ask("balances", { session: "coins", tokens: [[`${coin}::dime`, caller, "1"]] });
  assert.match(error.message, /cannot be given 1 of .*coin::dime/);
});

test("the source of a contract that is built in is told", async () => {
  const { source: registry } = await ok("builtin", { contract: "SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-registry" });
  assert.match(registry, /define-/);
  assert.equal((await ok("builtin", { contract })).source, null);
});

test("it ends with who started it, whatever runs", async () => {
  const digits = "(list u0 u1 u2 u3 u4 u5 u6 u7 u8 u9)";
  const folds = Array.from({ length: 9 }, (_, i) => `(define-private (f${i + 1} (a uint) (b uint)) (fold f${i} ${digits} b))`);
  await ok("mine", { blocks: [[0, 1]] });
  const endless = `(define-private (f0 (a uint) (b uint)) (+ a b)) ${folds.join(" ")} (define-public (run) (ok (f9 u0 u0)))`;
  assert.equal((await deploy(endless, `${deployer}.endless`)).kept, true);
  program.stdin.write(`${JSON.stringify({ id: ++next, do: "call", session: "s", contract: `${deployer}.endless`, function: "run", args: [], sender: caller })}\n`);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  program.kill("SIGINT"); // as a terminal does, while chainscope may still ask
  assert.equal(program.exitCode, null);
  program.stdin.end();
  const [code] = await new Promise((resolve) => program.on("exit", (...all) => resolve(all)));
  assert.equal(code, 0);
});
