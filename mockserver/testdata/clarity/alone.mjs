// Measures the Clarinet SDK alone: ms from the start of the process to the first answered call,
// and of each of a number of calls of a public function.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(new URL("../../engine/chainscope-clarity/package.json", import.meta.url));
const { getSDK } = require("@stacks/clarinet-sdk");
const { Cl } = createRequire(require.resolve("@stacks/clarinet-sdk"))("@stacks/transactions");

const { source, calls } = JSON.parse(readFileSync(0, "utf8"));
const deployer = "ST1PQHQKV0RJXZFY1DGX8MNSNYVE3VGZJSRTPGZGM";
console.error = console.log = () => {};
const sdk = await getSDK({ trackCosts: true });
await sdk.initEmptySession({ enabled: false });
sdk.setEpoch("3.3");
sdk.deployContract("counter", source, { clarityVersion: 4 }, deployer);
const call = () => sdk.callPublicFn(`${deployer}.counter`, "add", [Cl.uint(1)], deployer);
call();
const start = performance.now(); // since the process began
const each = Array.from({ length: calls }, () => {
  const began = performance.now();
  call();
  return performance.now() - began;
});
process.stdout.write(JSON.stringify({ start, each }));
