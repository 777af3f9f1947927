// Starts the chainscope bridge and speaks to its control.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBinary } from './binary.js';
import { publicHosts } from './home.js';
import { send, sendJSON } from './http.js';

const noRules = fileURLToPath(new URL('../rules.yaml', import.meta.url));
const firstLine = /^bridge listening on (http:\/\/\S+)$/m;

/** The flags of a fork of a live chain. */
function forkFlags({ api = 'mainnet', height, cache, offline = false }) {
  const flags = ['--mock-fork', api];
  if (height !== undefined) flags.push('--mock-fork-height', String(height));
  if (cache !== undefined) flags.push('--mock-fork-cache', cache);
  if (offline) flags.push('--mock-fork-offline');
  return flags;
}

/** One bridge. Without `api` it has a chain of its own, which ends with it. */
export class Bridge {
  #process;
  #folder;
  #said = '';

  /** Starts a bridge and waits until it listens. */
  static async start(options = {}) {
    const bridge = new Bridge();
    await bridge.#start(options);
    return bridge;
  }

  async #start({ binary, api, as = 'chainscope', origins = [], network, account, freeze, seed, clarity = false, project, coverage, fork, args = [] }) {
    if (freeze === undefined) freeze = fork ? new Date().toISOString() : '2026-01-01T00:00:00Z'; // a fork has a block that is newer
    const runs = !fork && (clarity || project !== undefined || coverage !== undefined);
    this.as = as;
    this.origins = origins;
    this.account = account ?? 0;
    this.network = network ?? (runs || fork?.api === 'testnet' ? 'testnet' : 'mainnet'); // contracts run on testnet addresses
    this.#folder = await mkdtemp(join(tmpdir(), 'chainscope-'));
    const config = join(this.#folder, 'config.toml');
    await writeFile(config, ''); // what the person has set for the program is not for tests
    const given = ['bridge', '--addr', '127.0.0.1:0', '--until-eof', '--script', noRules, '--as', as,
      '--state-dir', this.#folder, '--config', config,
      '--account', String(this.account), '--network', this.network, '--api', api ?? 'mock'];
    if (!api && freeze) given.push('--mock-freeze', freeze);
    if (!api && runs) given.push(...(project === undefined ? ['--mock-clarity'] : ['--mock-project', project]));
    if (!api && fork) given.push(...forkFlags(fork));
    if (!api && coverage !== undefined) given.push('--mock-coverage', coverage); // every worker adds to it
    if (!api && seed !== undefined) given.push('--mock-seed', String(seed));
    for (const host of publicHosts) given.push('--api-for', `https://${host}`);
    for (const origin of origins) given.push('--allow-origin', origin);
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CHAINSCOPE_')));
    const program = binary ?? findBinary();
    this.#process = spawn(program, [...given, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    this.url = await this.#listening(program);
    this.state = await this.control('GET', 'state');
    this.api = this.state.api;
  }

  #listening(program) {
    const child = this.#process;
    child.stderr.setEncoding('utf8').on('data', text => { this.#said = (this.#said + text).slice(-10_000); });
    child.stdin.on('error', () => {}); // it ended before we did
    return new Promise((resolve, reject) => {
      let out = '';
      child.stdout.setEncoding('utf8').on('data', text => {
        out += text;
        const found = firstLine.exec(out);
        if (found) resolve(found[1]);
      });
      child.on('error', error => reject(new Error(`${program} cannot be started: ${error.message}`)));
      child.on('exit', code => reject(new Error(`${program} ended with ${code}: ${this.#said.trim()}`)));
    });
  }

  /** What the bridge has printed on stderr, at most the last 10,000 characters. */
  get said() { return this.#said; }

  /** Asks a control route of the bridge. */
  control(method, route, body, options) {
    return sendJSON(`${this.url}/.chainscope/control/${route}`, { method, body, ...options });
  }

  /** Asks a control route of the mock, through the bridge, so that the wallet goes back with its chain. */
  mock(method, route, body) {
    return sendJSON(`${this.url}/.chainscope/mock/v1/${route}`, { method, body });
  }

  /** Sends a call as a page of an origin does, and returns its JSON-RPC envelope. */
  async rpc(origin, envelope, signal) {
    const { status, text } = await send(`${this.url}/.chainscope/rpc`, { method: 'POST', body: envelope, headers: { origin }, signal });
    if (status !== 200) {
      return { jsonrpc: '2.0', id: envelope.id, error: { code: -32603, message: `chainscope refused the request: ${text.trim()}` } };
    }
    return JSON.parse(text);
  }

  /** The script that gives a page the wallet. With a binding, calls go through the page's function of that name. */
  async provider(binding) {
    const query = binding ? `?binding=${binding}` : '';
    const { status, text } = await send(`${this.url}/.chainscope/provider.js${query}`);
    if (status !== 200) throw new Error(`the provider's script cannot be read: ${status} ${text}`);
    return text;
  }

  /** Ends the bridge, and its chain if it has one of its own. */
  async close() {
    const child = this.#process;
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise(resolve => child.once('exit', resolve));
      child.stdin.end();
      const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(late);
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}
