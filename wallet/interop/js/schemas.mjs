// Checks params and results against the schemas of the libraries of each wallet. It runs in node
// and in a page.
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
const endpointOf = method => Object.values(endpoints).find(candidate => candidate.method === method);

function valid(schema, value) {
  const parsed = v.safeParse(schema, value);
  if (!parsed.success) throw new Error(JSON.stringify(parsed.issues.map(issue => [issue.message, v.getDotPath(issue)])));
}
function fitsEndpoint(schema, value) {
  const parsed = schema?.safeParse(value);
  if (parsed && !parsed.success) throw new Error(JSON.stringify(parsed.error.issues ?? parsed.error));
}

export const check = {
  xverse: ({ method, params, result }) => {
    const name = nameOf(method);
    if (!xverse[`${name}ResultSchema`]) throw new Error(`no schema ${name}`);
    valid(xverse[`${name}ParamsSchema`], params);
    valid(xverse[`${name}ResultSchema`], result);
  },
  leather: ({ method, params, result }) => {
    const endpoint = endpointOf(method);
    if (!endpoint) throw new Error('no endpoint');
    fitsEndpoint(endpoint.params, params);
    fitsEndpoint(endpoint.result, result);
  },
  events: ({ method, result }) => valid(xverse[`${method}Schema`], result),
};

// fits checks a result of the plain wallet against whichever library knows the method.
export function fits({ method, result }) {
  const schema = xverse[`${nameOf(method)}ResultSchema`];
  if (schema) valid(schema, result);
  else fitsEndpoint(endpointOf(method)?.result, result);
}
