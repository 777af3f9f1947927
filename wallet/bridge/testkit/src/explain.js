// Says in words what an approval shows, and how a test was not played as expected.

// Characters that could act on a terminal or change how a line reads are shown
// as escapes: the texts of pages are in these words.
export const clean = text => String(text).replace(/[\p{Cc}\p{Cf}\p{Co}\u2028\u2029]/gu, c => `\\u{${c.codePointAt(0).toString(16)}}`);

/** A decimal number of units as one of coins with so many decimals, exact. */
function coins(units, decimals) {
  const digits = String(units).padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return digits.slice(0, -decimals) + (fraction && `.${fraction}`);
}
const stx = amount => `${coins(amount, 6)} STX (${amount} micro-STX)`;
const btc = amount => `${coins(amount, 8)} BTC (${amount} satoshis)`;

/** The sentence of what is approved. */
export function subject(d) {
  if (d.transfer) return `send ${stx(d.transfer.amount)} to ${d.transfer.recipient}${d.transfer.memo ? `, memo "${clean(d.transfer.memo)}"` : ''}`;
  if (d.token) {
    const what = d.token.amount !== undefined ? `${d.token.amount} units of ${d.token.asset}` : `${d.token.asset} ${d.token.id?.repr ?? ''}`;
    return `send ${clean(what)} to ${d.token.recipient}`;
  }
  if (d.call) return `call ${clean(d.call.contract)}::${clean(d.call.function)}(${d.call.args.map(a => clean(a.repr)).join(', ')})`;
  if (d.deploy) return `deploy ${clean(d.deploy.contract)}, ${d.deploy.lines} line${d.deploy.lines === 1 ? '' : 's'}, SHA-256 ${d.deploy.sha256}`;
  if (d.message) return `sign the message "${clean(d.message.text)}"`;
  if (d.signing) return `sign the message "${clean(d.signing.text)}" with ${d.signing.address}`;
  if (d.structured) return `sign ${clean(d.structured.message.repr)} for ${clean(d.structured.name)} ${clean(d.structured.version)}`;
  if (d.bitcoin) return bitcoin(d.bitcoin);
  if (d.disclosed) return `disclose ${d.disclosed.what}${d.disclosed.addresses ? `: ${d.disclosed.addresses.join(', ')}` : ''}`;
  if (d.switch) return `switch to ${clean(d.switch)}`;
  if (d.batch) return d.batch.map(subject).join('; ');
  return d.other ? `sign a transaction: ${clean(d.other)}` : d.method;
}

function bitcoin(b) {
  const sent = b.outputs.filter(o => !o.change).map(o => `${btc(o.amount)} to ${clean(o.address ?? o.type)}`);
  const fee = b.fee === undefined ? '' : `, fee ${btc(b.fee)}`;
  return `sign a Bitcoin transaction: ${sent.join(', ') || 'change alone'}${fee}`;
}

/** What the approval of a call says, a line each; '' when it was never shown, as for bad params. */
export function words(shown) {
  if (!shown) return '';
  const lines = [subject(shown)];
  const of = [`account ${shown.account.index} (${shown.account.address})`, shown.network.name];
  if (shown.transaction) {
    const { fee, nonce, postConditionMode } = shown.transaction;
    of.push(`fee ${stx(fee)}`, `nonce ${nonce}`, `post-conditions: ${shown.transaction.postConditions.length}, mode ${postConditionMode}`);
  }
  lines.push(of.join(', '));
  for (const warning of shown.warnings ?? []) lines.push(`warning: ${clean(warning.text)}`);
  for (const name of shown.ignored ?? []) lines.push(`ignored: ${clean(name)}`);
  return lines.join('\n');
}

const json = value => (value === undefined || value === null ? 'no params' : clean(JSON.stringify(value)));

/** One line of a list of facts; those of more lines are indented below each other. */
export const fact = (name, text) => `  ${name.padEnd(10)}${text.split('\n').join(`\n${' '.repeat(12)}`)}`;

/**
 * Says what was expected and did not come and what came unexpected; '' when all is
 * well. Where the one is nearest to the other, they are told together.
 */
export function explain(verdict, rules, calls) {
  if (verdict.ok) return '';
  const call = n => calls.find(each => each.n === n);
  const told = new Set();
  const parts = verdict.missing.map(missing => {
    const rule = rules[missing.rule - 1];
    const lines = [`expected, and did not come: ${missing.expect}${missing.times > 1 ? ` (${missing.came} of ${missing.times} came)` : ''}`];
    lines.push(fact('expected', rule?.with ? json(rule.with) : 'any params'));
    const near = missing.nearest && call(missing.nearest.n);
    if (near) {
      told.add(near.n);
      lines.push(...came(near), ...missing.nearest.why.map(why => fact('differs', clean(why))));
    } else {
      lines.push(fact('came', calls.length ? `nothing like it; there were ${calls.map(c => clean(c.method)).join(', ')}` : 'nothing'));
    }
    return lines.join('\n');
  });
  for (const unexpected of verdict.unexpected) {
    if (told.has(unexpected.n)) continue;
    const near = unexpected.nearest;
    const lines = [`came unexpected: ${clean(unexpected.method)}`, ...came(call(unexpected.n) ?? unexpected)];
    if (near) {
      lines.push(fact('expected', `nearest is rule ${near.rule}: ${rules[near.rule - 1]?.expect} with ${json(rules[near.rule - 1]?.with)}`));
      lines.push(...near.why.map(why => fact('differs', clean(why))));
    } else {
      lines.push(fact('expected', rules.length ? 'no call of this method' : 'no call at all'));
    }
    parts.push(lines.join('\n'));
  }
  return parts.join('\n\n');
}

const approves = answer => answer === 'approve' || (answer?.then !== undefined && approves(answer.then));

/** Says which calls a rule approves and the wallet refused all the same, as for bad params; '' for none. */
export function refusals(rules, calls) {
  const refused = calls.filter(call => call.answer?.error && approves(rules[call.rule - 1]?.answer));
  return refused.map(call => {
    const lines = [`approved by the test, and refused by the wallet: ${clean(call.method)}`, ...came(call)];
    if (call.shown) lines.push(answered(call));
    const fix = undescribed(call);
    if (fix) lines.push(fact('fix', fix));
    return lines.join('\n');
  }).join('\n\n');
}

/** What would let a call be taken that the chain refused because it is not described. */
function undescribed({ shown, answer }) {
  if (!shown?.call || !/^NoSuch(Contract|PublicFunction)$/.test(answer.error.data?.reason)) return undefined;
  const { contract, function: name } = shown.call;
  const describe = `say what it does with chain.contract('${contract}', { calls: { '${name}': '(ok true)' } })`;
  if (answer.error.data.reason !== 'NoSuchContract') return clean(describe);
  return clean(`${describe}, or let any contract be called with args: ['--mock-any-contract'] among the options of chainscope`);
}

const answered = call => fact('answer', `${call.answer.error.code} ${clean(call.answer.error.message)}`);

function came(call) {
  const lines = [fact('came', `call ${call.n} of ${clean(call.origin)}: ${json(call.params)}`)];
  const approval = words(call.shown);
  if (approval) lines.push(fact('approval', approval));
  else if (call.answer?.error) lines.push(answered(call));
  return lines;
}
