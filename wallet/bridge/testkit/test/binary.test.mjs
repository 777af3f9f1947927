import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findBinary } from '../src/binary.js';

test('the program is found in the order that the guide says', t => {
  const folder = mkdtempSync(join(tmpdir(), 'chainscope-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'chainscope');
  writeFileSync(program, '');
  const none = () => { throw new Error('no such package'); };
  const linux = { platform: 'linux', arch: 'arm64' };

  assert.equal(findBinary({ ...linux, env: { CHAINSCOPE_BIN: program, PATH: '' }, resolve: () => 'of the package' }), program);
  assert.equal(findBinary({ ...linux, env: { PATH: folder }, resolve: name => name }), '@chainscope/linux-arm64/bin/chainscope');
  assert.equal(findBinary({ platform: 'win32', arch: 'x64', env: {}, resolve: name => name }), '@chainscope/win32-x64/bin/chainscope.exe');
  assert.equal(findBinary({ ...linux, env: { PATH: `:${folder}` }, resolve: none }), program);
  // Its own script must never be found: it would start itself for ever.
  const bin = join(folder, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'chainscope'), '');
  assert.equal(findBinary({ ...linux, env: { PATH: `${bin}:${folder}` }, resolve: none }), program);
  symlinkSync(fileURLToPath(new URL('../bin/chainscope.js', import.meta.url)), join(folder, 'node_modules', 'chainscope'));
  assert.equal(findBinary({ ...linux, env: { PATH: `${join(folder, 'node_modules')}:${folder}` }, resolve: none }), program);
  assert.throws(() => findBinary({ ...linux, env: { PATH: '' }, resolve: none }), /set CHAINSCOPE_BIN .* install @chainscope\/linux-arm64/);
  assert.throws(() => findBinary({ ...linux, env: { CHAINSCOPE_BIN: join(folder, 'none') } }), /CHAINSCOPE_BIN names no file/);
});
