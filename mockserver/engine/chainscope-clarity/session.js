// Sessions: what happened on a chain, and the instance of the virtual machine in which it did.
// Everything that is taken back is taken back by an image of before and what was kept since.

import { Instance, tidy } from "./instance.js";
import * as coverage from "./coverage.js";
import { check } from "./remote.js";

const defaultAwake = 4;
const mostBases = 3;
const mostImages = 8; // of a session
const mostKept = 512 << 20; // bytes of the images of all sessions
const idle = 15; // ms of steps after the newest image, from which on who has time makes one
const busy = 60; // and from which on one is made at once
const short = 100; // ms of steps that are rather done again than kept for who sleeps

const mostAwake = Number(process.env.CHAINSCOPE_CLARITY_SESSIONS) || defaultAwake;
const awake = []; // instances
const bases = new Map(); // images of sessions in which nothing happened, by what they are of
let clock = 0; // counts what is asked for

// spent is how many ms the processor had to do with all so far. The time of a clock would say more of
// what else the machine does.
const spent = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

export const sessions = new Map();

// expressions returns where the expressions at the top of a source start and end.
function expressions(source) {
  const found = [];
  let [depth, start] = [0, 0];
  for (const { 0: word, index } of source.matchAll(/;;.*|"(?:[^"\\]|\\.)*"|[(){}]|[^\s(){};"]+/g)) {
    if (word.startsWith(";;")) continue;
    if (depth === 0) start = index;
    if ("({".includes(word)) depth++;
    if (")}".includes(word)) depth--;
    if (depth === 0) found.push({ start, end: index + word.length });
  }
  return found;
}

// free returns an instance that no session has: one of those, a new one, or that of the session
// that was used the longest time ago.
function free() {
  const found = awake.find((i) => !i.owner);
  if (found) return found;
  if (awake.length >= mostAwake) {
    const oldest = awake.reduce((a, b) => (a.owner.used <= b.owner.used ? a : b));
    oldest.owner.sleep();
    return oldest;
  }
  awake.push(new Instance());
  return awake.at(-1);
}

// replace gives the place of an instance to a new one.
function replace(instance) {
  const made = new Instance();
  made.owner = instance.owner;
  awake[awake.indexOf(instance)] = made;
  setImmediate(tidy);
  return made;
}

// Session is what happened on a chain.
export class Session {
  constructor({ genesis, epoch = "3.3", coverage: noted = false, fork = null, steps = [], took = [] }) {
    Object.assign(this, { genesis, epoch, noted, fork, steps, took });
    this.names = coverage.count(); // that its project has
    this.images = []; // of after some of the steps, oldest first
    this.instance = null;
    this.used = 0;
    this.done = -1; // steps that the instance stands after; -1 if it does not stand after any
    this.owed = 0; // blocks that are to be made before anything else happens
    this.touched = false; // something was done or read in the newest block
    this.root = null; // the whole image from which what is in the instance differs
  }

  // ready returns an instance in which all steps were done, and nothing else.
  async ready() {
    this.used = ++clock;
    if (!this.instance) {
      this.instance = free();
      this.instance.owner = this;
    }
    if (this.done < 0) await this.restore(this.steps.length);
    this.repeat();
    return this.instance;
  }

  // restore puts the newest image into the instance from which the first n steps can be done, and
  // then some that are not kept yet.
  async restore(n, then = []) {
    if (this.noted) this.instance.note();
    const { at, image, owed, touched } = this.images.findLast((i) => i.at <= n && !this.splits(i, n, then)) ?? { at: 0, image: await this.base(), owed: 0, touched: false };
    if (!this.instance.fits(image)) this.instance = replace(this.instance);
    this.instance.restore(image);
    Object.assign(this, { done: at, owed, touched, root: image.whole ?? image });
  }

  // splits reports whether an image is of the middle of a block in which a deploy follows: that
  // block has to be made anew.
  splits({ at, touched }, n, then) {
    if (!touched) return false;
    const rest = [...this.steps.slice(at, n), ...then];
    const end = rest.findIndex((s) => s.do === "mine");
    return rest.slice(0, end < 0 ? rest.length : end).some((s) => s.do === "deploy");
  }

  // base is an image of a session in which nothing happened. The first one is made here.
  async base() {
    const of = JSON.stringify([this.genesis, this.epoch, this.noted && this.names, this.fork]);
    let image = bases.get(of);
    bases.delete(of);
    if (!image) {
      if (this.instance.sdk) this.instance = replace(this.instance);
      await this.instance.begin({ genesis: this.genesis, epoch: this.epoch, coverage: this.noted, fork: this.fork });
      image = this.instance.save(null);
    }
    bases.set(of, image);
    if (bases.size > mostBases) bases.delete(bases.keys().next().value);
    return image;
  }

  // repeat does the steps that are not done yet.
  repeat() {
    while (this.done < this.steps.length) {
      const began = spent();
      let end = this.done + 1;
      while (end < this.steps.length && this.steps[end].do !== "mine") end++;
      const mines = this.steps[this.done].do === "mine";
      const block = this.steps.slice(this.done + (mines ? 1 : 0), end);
      if (mines) this.step(this.steps[this.done]);
      if (block.slice(1).some((s) => s.do === "deploy")) this.batch(block);
      else block.forEach((s) => this.step(s));
      check();
      const each = (spent() - began) / (end - this.done);
      this.took.fill(each, this.done, end);
      this.done = end;
    }
  }

  // settle makes the blocks that are owed, but for so many.
  settle(but = 0) {
    if (this.owed <= but) return;
    this.instance.mine(0, this.owed - but);
    this.owed = but;
  }

  // enter makes the newest block, because something is done or read in it: a deploy that comes later
  // needs that block anew.
  enter() {
    this.settle();
    this.touched = true;
  }

  // step does one thing. The last Stacks block is made late: a deploy makes its own.
  step(step) {
    switch (step.do) {
      case "mine":
        for (const [burn, stacks] of step.blocks) {
          if (burn > 0) {
            this.settle();
            this.instance.mine(burn, 0);
          }
          this.owed += stacks;
        }
        this.settle(1);
        this.touched = false;
        return {};
      case "balances":
        for (const [principal, amount] of step.mint ?? []) this.instance.mint(principal, amount);
        for (const [principal, amount] of step.burn ?? []) this.instance.burn(principal, amount);
        for (const token of step.tokens ?? []) this.instance.give(...token);
        return {};
      case "call":
        this.enter();
        return this.instance.call(step, this.noted);
      case "deploy":
        if (this.owed === 0) throw new Error("a deploy needs a new block");
        this.settle(1);
        this.owed = 0;
        this.touched = true;
        return this.instance.deploy(step);
    }
    throw new Error(`${step.do} is no step`);
  }

  // batch does what one block has, in which a deploy is not the first.
  batch(block) {
    if (this.owed === 0) throw new Error("the first block of a burn block takes no deploy");
    this.settle(1);
    this.owed = 0;
    this.touched = true;
    return this.instance.batch(block);
  }

  // add does one thing more, and returns what it answers. It is kept if the answer may be.
  async add(step, keeps) {
    if (step.do === "deploy" && this.noted && step.coverage !== false) this.name(step.contract.split(".")[1]);
    await this.ready();
    const began = spent();
    const late = step.do === "deploy" && this.touched;
    const answer = late ? await this.again(step) : this.step(step);
    check();
    if (!keeps(answer)) return answer;
    this.steps.push(step);
    this.took.push(spent() - began);
    this.done++;
    return answer;
  }

  // diagnose returns what is wrong with a contract that was refused with a message, and where; nothing
  // if that is not found. A note belongs to the error before it.
  diagnose(step, message) {
    const text = this.instance.diagnosed(step);
    this.spoil();
    const errors = [...text.matchAll(/^error: (.*)\n--> encode:(\d+):(\d+)$/gm)];
    const note = text.indexOf(`\nnote: ${message}\n`);
    const found = errors.findLast((e) => e[1] === message) ?? errors.findLast((e) => e.index < note);
    return found ? { message: found[1], line: Number(found[2]), column: Number(found[3]) } : this.failing(step, message);
  }

  // failing returns where the expression at the top begins without which a contract does not fail with a
  // message; nothing if that is not found.
  failing(step, message) {
    const cause = (text) => text.replace(/^.*?(?: -> |$)/s, "").replace(/interpreting \S+:/, "");
    const all = expressions(step.source);
    let [works, fails] = [0, all.length];
    while (fails - works > 1) {
      const half = (works + fails) >> 1;
      try {
        this.instance.deploy({ ...step, contract: `${step.contract.split(".")[0]}.part-${half}`, source: step.source.slice(0, all[half - 1].end) });
        works = half;
      } catch (thrown) {
        if (thrown instanceof WebAssembly.RuntimeError || cause(String(thrown?.message ?? thrown)) !== cause(` -> ${message}`)) return undefined;
        fails = half;
      }
    }
    const before = step.source.slice(0, all[fails - 1]?.start ?? 0).split("\n");
    return all.length > 0 ? { line: before.length, column: before.at(-1).length + 1 } : undefined;
  }

  // again goes back to before the newest block, and does that block with one deploy more.
  async again(step) {
    const all = this.steps;
    const start = all.findLastIndex((s) => s.do === "mine") + 1;
    try {
      this.steps = all.slice(0, start);
      const block = [...all.slice(start), step];
      await this.restore(start, block);
      this.repeat();
      return this.batch(block);
    } finally {
      this.steps = all;
      this.done = all.length;
    }
  }

  // name lets the session be made anew, with a project in which what is reached in a contract of a
  // new name is noted.
  name(short) {
    coverage.add(short);
    if (this.names === coverage.count()) return;
    this.names = coverage.count();
    this.images = [];
    this.done = -1;
  }

  // forget drops the steps after the first n.
  forget(n) {
    if (!Number.isInteger(n) || n < 0 || n > this.steps.length) throw new Error(`at must be 0 to ${this.steps.length}, not ${n}`);
    if (n < this.done) this.done = -1;
    this.steps.length = this.took.length = n;
    this.images = this.images.filter((i) => i.at <= n);
  }

  // spoil says that something happened in the instance that is no step.
  spoil() {
    this.done = -1;
  }

  // abandon lets go of an instance in which a session has begun that is of no use.
  abandon() {
    if (this.instance) this.instance = replace(this.instance);
    this.release();
  }

  // undo throws away what happened since something could not be read. After a trap the instance is of no
  // use any more.
  undo(trapped) {
    if (trapped && this.instance) this.instance = replace(this.instance);
    this.spoil();
  }

  // time is how many ms the steps took, of which the first n are left out.
  time(n = 0) {
    return this.took.slice(n).reduce((a, b) => a + b, 0);
  }

  // since is how many ms the steps after the newest image took.
  since() {
    return this.time(this.images.at(-1)?.at);
  }

  // save makes an image of where the session stands, if what happened since the newest one took
  // that many ms.
  save(ms) {
    if (!this.instance || this.done !== this.steps.length || this.since() < ms) return;
    const image = this.instance.save(this.root);
    this.root = image.whole ?? image;
    this.images.push({ at: this.done, image, owed: this.owed, touched: this.touched });
    if (this.images.length > mostImages) this.thin();
    bound();
  }

  // thin drops the image after whose loss the least has to be done again. The newest stays.
  thin() {
    const gap = (i) => this.took.slice(this.images[i - 1]?.at ?? 0, this.images[i + 1].at).reduce((a, b) => a + b, 0);
    const gaps = this.images.slice(0, -1).map((_, i) => gap(i));
    this.images.splice(gaps.indexOf(Math.min(...gaps)), 1);
  }

  // sleep lets go of the instance, and of images that are not worth their room.
  sleep() {
    this.save(short);
    if (this.time() < short) this.images = [];
    this.release();
  }

  release() {
    if (!this.instance) return;
    if (this.noted) this.instance.note();
    this.instance.owner = this.instance = this.root = null;
    this.done = -1;
  }
}

// bound drops images where there are too many: the oldest of who was used the longest time ago. Who
// has an instance keeps one.
function bound() {
  while (kept() > mostKept) {
    const has = [...sessions.values()].filter((s) => s.images.length > (s.instance ? 1 : 0));
    if (has.length === 0) return;
    has.reduce((a, b) => (a.used <= b.used ? a : b)).images.shift();
  }
}

const kept = () => {
  const all = new Set([...sessions.values()].flatMap((s) => s.images.flatMap(({ image }) => [image, image.whole])));
  for (const base of [null, undefined, ...bases.values()]) all.delete(base);
  return [...all].reduce((sum, { kept: { length } }) => sum + length, 0);
};

// rest makes images while nobody asks for anything.
export function rest() {
  for (const { owner } of awake) owner?.save(idle);
}

// after makes ready what was spoiled, and an image where too much would have to be done again, when
// an answer was given.
export async function after(session, ms = busy) {
  if (session.instance && session.done < 0) await session.ready();
  session.save(ms);
}

// collect notes what was reached in all instances.
export function collect() {
  for (const instance of awake) {
    if (instance.owner?.noted) instance.note();
  }
}

// status tells how many sessions there are, how many of them have an instance, and how many bytes
// the process has.
export const status = () => ({ sessions: sessions.size, awake: awake.filter((i) => i.owner).length, memory: process.memoryUsage.rss() });
