// Reads [{request, result, coins}] on standard input, verifies each and prints {method: count}.
import { readFileSync } from 'node:fs';
import { account } from './keys.mjs';
import { comparisons } from './reference.mjs';
import { verifiers } from './verifiers.mjs';

const counts = {};
for (const [number, answer] of JSON.parse(readFileSync(0, 'utf8')).entries()) {
  const { method } = answer.request;
  try {
    verifiers[method](answer, number * 7919);
    await comparisons[method](answer, account(answer.request.account, answer.request.network));
  } catch (error) {
    console.error(`${method} ${JSON.stringify(answer.request.params)}\n  ${JSON.stringify(answer.result)}\n  ${error.stack}`);
    process.exit(1);
  }
  counts[method] = (counts[method] ?? 0) + 1;
}
process.stdout.write(JSON.stringify(counts));
