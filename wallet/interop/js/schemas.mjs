// Reads [{wallet, method, params, result}] on standard input, checks each against the schemas of
// the library that a page of that wallet uses, and prints {wallet: number of answers}.
import { readFileSync } from 'node:fs';
import { endpoints } from '@leather.io/rpc';
import * as xverse from '@sats-connect/core';
import * as v from 'valibot';

// The names of the schemas of @sats-connect/core, without their endings.
const names = {
  wallet_connect: 'connect', wallet_disconnect: 'disconnect', wallet_requestPermissions: 'requestPermissions', wallet_renouncePermissions: 'renouncePermissions',
  wallet_getCurrentPermissions: 'getCurrentPermissions', wallet_getAccount: 'getAccount', wallet_getNetwork: 'getNetwork', wallet_getWalletType: 'getWalletType',
  wallet_changeNetwork: 'changeNetwork',
};
const nameOf = method => names[method] ?? method.replace(/_./g, pair => pair[1].toUpperCase());

const check = {
  xverse: ({ method, params, result }) => {
    const name = nameOf(method);
    for (const [schema, value] of [[xverse[`${name}ParamsSchema`], params], [xverse[`${name}ResultSchema`], result]]) {
      if (!schema) throw new Error(`no schema ${name}`);
      const parsed = v.safeParse(schema, value);
      if (!parsed.success) throw new Error(JSON.stringify(parsed.issues.map(issue => [issue.message, v.getDotPath(issue)])));
    }
  },
  leather: ({ method, params, result }) => {
    const endpoint = Object.values(endpoints).find(candidate => candidate.method === method);
    if (!endpoint) throw new Error('no endpoint');
    for (const [schema, value] of [[endpoint.params, params], [endpoint.result, result]]) {
      if (!schema) continue;
      const parsed = schema.safeParse(value);
      if (!parsed.success) throw new Error(JSON.stringify(parsed.error.issues ?? parsed.error));
    }
  },
  events: ({ method, result }) => {
    const parsed = v.safeParse(xverse[`${method}Schema`], result);
    if (!parsed.success) throw new Error(JSON.stringify(parsed.issues.map(issue => issue.message)));
  },
};

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
