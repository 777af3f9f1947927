// What the official SDK takes on a fork, beside the benchmark of the engine: milliseconds of each call, as JSON.
// Arguments: the URL of the node, the height, the sender, the contract, the number of calls, "costs" to count them.
import { createRequire } from "node:module";

const require = createRequire(new URL("../../chainscope-clarity/machine.js", import.meta.url));
const { getSDK } = require("@stacks/clarinet-sdk");
const { Cl } = createRequire(require.resolve("@stacks/clarinet-sdk"))("@stacks/transactions");

const [url, height, sender, contract, calls, costs] = process.argv.slice(2);
const sdk = await getSDK({ trackCosts: costs === "costs", trackCoverage: false });
await sdk.initEmptySession({ enabled: true, api_url: url, initial_height: Number(height), use_mainnet_wallets: true });
sdk.mineEmptyBlocks(1); // what is done in the forked block is lost in the next

const list = (from, count) => Cl.list(Array.from({ length: count }, (_, i) => Cl.uint(from + i)));
const call = (from, count) => {
  const began = performance.now();
  const { result } = sdk.callPublicFn(contract, "sum", [list(from, count)], sender);
  const took = performance.now() - began;
  if (result.type !== "ok" || Number(result.value.value) !== count) throw new Error(JSON.stringify(result, (_, v) => (typeof v === "bigint" ? String(v) : v)));
  return took;
};
for (let i = 0; i < 5; i++) call(0, 1);
const all = Number(calls);
const known = Array.from({ length: all }, () => call(0, 1));
const unknown = Array.from({ length: all }, (_, i) => call(100 * (i + 1), 100));
console.log(JSON.stringify({ known, unknown }));
