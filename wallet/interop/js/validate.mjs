// Reads [{wallet, method, params, result}] on standard input, checks each against the schemas of
// the library that a page of that wallet uses, and prints {wallet: number of answers}.
import { readFileSync } from 'node:fs';
import { check } from './schemas.mjs';

const counts = {};
let failed = false;
for (const answer of JSON.parse(readFileSync(0, 'utf8'))) {
  try {
    check[answer.wallet](answer);
    counts[answer.wallet] = (counts[answer.wallet] ?? 0) + 1;
  } catch (error) {
    failed = true;
    console.error(`${answer.wallet} ${answer.method}: ${error.message}\n  ${JSON.stringify(answer.params)}\n  ${JSON.stringify(answer.result)}`);
  }
}
if (failed) process.exit(1);
process.stdout.write(JSON.stringify(counts));
