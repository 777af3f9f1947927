// Says why transactions of a test did not succeed, as the chain tells it.
import { clean, fact, subject } from './explain.js';

/** The ids of the transactions that calls have sent, each with its call. */
function sent(calls) {
  return calls.flatMap(call => {
    const txid = call.answer?.result?.txid;
    return typeof txid === 'string' && txid !== '' ? [{ txid, call }] : [];
  });
}

const failed = status => /^(abort|dropped|problematic)_/.test(status);

/** Asks a chain about the transactions of calls; '' when none has failed. */
export async function failures(bridge, calls) {
  const parts = [];
  for (const { txid, call } of sent(calls)) {
    // One that was signed alone, or that a revert took back, is not known.
    const why = await bridge.mock('GET', `tx/${txid}/why`).catch(() => undefined);
    if (!why || !failed(why.status)) continue;
    // Only where contracts run it is known what a transaction called.
    const tree = await bridge.mock('GET', `transactions/${txid}/trace`).catch(() => undefined);
    parts.push([told(txid, call, why), ...called(tree?.trace?.[0])].join('\n'));
  }
  return parts.join('\n\n');
}

const mostCalls = 200;

/** What a transaction called: a line for each call, those within it further right. */
function called(root) {
  const lines = [];
  const walk = (call, lead) => {
    if (lines.length === mostCalls) return;
    const end = call.error ? 'failed' : call.result ?? '';
    const text = `${call.contract.split('.')[1]}.${call.function}(${call.arguments.join(', ')})  ${end}`.trimEnd();
    lines.push(fact(lines.length === 0 ? 'called' : '', lead + clean(text)));
    for (const inner of call.calls) walk(inner, `${lead}  `);
  };
  if (root) walk(root, '');
  return lines;
}

function told(txid, call, why) {
  const lines = [`did not succeed: ${call.method}, ${why.status}`, fact('sent', clean(`call ${call.n}: ${call.shown ? subject(call.shown) : txid}`))];
  lines.push(fact('why', clean(why.sentence) + (why.certainty === 'likely' ? ' (likely)' : '')));
  if (why.condition) lines.push(fact('condition', clean(why.condition)));
  if (why.constant) lines.push(fact('error', `${clean(why.constant)}, line ${why.line} of the contract`));
  if (why.fix) lines.push(fact('fix', clean(why.fix)));
  lines.push(fact('txid', txid));
  return lines.join('\n');
}
