#!/usr/bin/env node
// Runs the program of this platform.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { findBinary } from '../src/binary.js';

try {
  const child = spawn(findBinary(), process.argv.slice(2), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', error => { console.error(error.message); process.exitCode = 1; });
  child.on('exit', (code, signal) => { process.exitCode = code ?? 128 + constants.signals[signal]; });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
