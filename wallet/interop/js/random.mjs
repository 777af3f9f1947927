// A seeded source, so that a failing run can be repeated from the seed that it printed.
export function source(seed) {
  let state = BigInt(seed) & 0xffffffffffffffffn;
  const next = () => {
    state = (state + 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & 0xffffffffffffffffn;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & 0xffffffffffffffffn;
    return z ^ (z >> 31n);
  };
  const below = n => Number(next() % BigInt(n));
  return {
    next,
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: share => below(1000) < share * 1000,
    pick: list => list[below(list.length)],
    bytes: n => Uint8Array.from({ length: n }, () => below(256)),
    text: (n, alphabet) => Array.from({ length: n }, () => alphabet[below(alphabet.length)]).join(''),
  };
}
