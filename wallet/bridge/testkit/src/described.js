// Canned answers of a contract, as a test writes them in one object.

/** A text alone is the result. */
const answer = given => (typeof given === 'string' ? { result: given } : given);

const each = (all, change) => Object.fromEntries(Object.entries(all ?? {}).map(([name, value]) => [name, change(value)]));

/** What the mock takes for the answers of a contract. */
export function described(contract, { reads, calls, ...others } = {}) {
  const answers = given => (Array.isArray(given) ? given.map(answer) : answer(given));
  return {
    contract, ...others,
    ...(reads && { reads: each(reads, answers) }),
    ...(calls && { calls: each(calls, answers) }),
  };
}
