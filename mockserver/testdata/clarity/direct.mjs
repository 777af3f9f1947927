// Runs deploys and calls in the Clarinet SDK alone, as its users do, and prints what each
// answers: the result, and the events in their order; then what read-only functions answer.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(new URL("../../engine/chainscope-clarity/package.json", import.meta.url));
const { getSDK } = require("@stacks/clarinet-sdk");
const { Cl } = createRequire(require.resolve("@stacks/clarinet-sdk"))("@stacks/transactions");

const { accounts, steps, reads } = JSON.parse(readFileSync(0, "utf8"));
console.error = console.log = () => {}; // where the virtual machine tells of failures
const sdk = await getSDK({ trackCosts: true });
await sdk.initEmptySession({ enabled: false });
sdk.setEpoch("3.3");
for (const address of accounts) sdk.mintSTX(address, 1_000_000_000_000n);

const told = ({ event, data }) => {
  const asset = data.asset_identifier ?? "STX";
  const what = data.raw_value ?? data.amount;
  if (event === "print_event") return `print ${data.contract_identifier} ${data.raw_value}`;
  return `${event.split("_")[1]} ${asset} ${what} ${data.sender ?? "-"} ${data.recipient ?? "-"}`;
};

const out = steps.map((step) => {
  try {
    const { result, events } = step.source
      ? sdk.deployContract(step.contract.split(".")[1], step.source, { clarityVersion: 4 }, step.contract.split(".")[0])
      : sdk.callPublicFn(step.contract, step.function, step.args.map((arg) => Cl.deserialize(arg)), step.sender);
    return { result: step.source ? "deployed" : `0x${Cl.serialize(result)}`, events: events.map(told) };
  } catch (thrown) {
    return { result: "0x0809", events: [] };
  }
});
const asked = reads.map(({ contract, function: name, args, sender }) => {
  const { result } = sdk.callReadOnlyFn(contract, name, args.map((arg) => Cl.deserialize(arg)), sender);
  return { result: `0x${Cl.serialize(result)}`, events: [] };
});
process.stdout.write(JSON.stringify([...out, ...asked]));
