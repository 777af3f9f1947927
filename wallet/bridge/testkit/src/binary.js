// Finds the chainscope program.
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** The package that brings the program for a platform. */
export function platformPackage(platform = process.platform, arch = process.arch) {
  return `@chainscope/${platform}-${arch}`;
}

const ownScript = fileURLToPath(new URL('../bin/chainscope.js', import.meta.url));
const fileName = platform => (platform === 'win32' ? 'chainscope.exe' : 'chainscope');

/**
 * Returns the path of the program: CHAINSCOPE_BIN, else that of the platform's
 * package, else the first on the PATH.
 */
export function findBinary({ env = process.env, platform = process.platform, arch = process.arch, resolve = require.resolve } = {}) {
  if (env.CHAINSCOPE_BIN) {
    if (!existsSync(env.CHAINSCOPE_BIN)) throw new Error(`CHAINSCOPE_BIN names no file: ${env.CHAINSCOPE_BIN}`);
    return env.CHAINSCOPE_BIN;
  }
  const wanted = platformPackage(platform, arch);
  try {
    return resolve(`${wanted}/bin/${fileName(platform)}`);
  } catch {
    // Optional packages may be left out; the PATH is next.
  }
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    // There stands the script of this package, which looks for the program itself.
    if (!folder || /[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder)) continue;
    const path = join(folder, fileName(platform));
    if (existsSync(path) && realpathSync(path) !== ownScript) return path;
  }
  throw new Error(`chainscope is not installed: set CHAINSCOPE_BIN to the program, install ${wanted}, or put chainscope on the PATH`);
}
