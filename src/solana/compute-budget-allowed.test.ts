import { expect, it } from "vitest";
import { refuseComputeBudget } from "./compute-limit.ts";
import { instruction, readonly } from "./encoding/instruction.ts";
import { COMPUTE_BUDGET_PROGRAM } from "./programs/compute-budget.ts";
import { SYSTEM_PROGRAM } from "./programs/system.ts";

/** `SetComputeUnitLimit` and `SetComputeUnitPrice` in the runtime's own layout. */
const limit = (units: number) => {
  const data = new Uint8Array(5);
  data[0] = 2;
  new DataView(data.buffer).setUint32(1, units, true);
  return instruction(COMPUTE_BUDGET_PROGRAM, [], data);
};
const price = (microLamports: bigint) => {
  const data = new Uint8Array(9);
  data[0] = 3;
  new DataView(data.buffer).setBigUint64(1, microLamports, true);
  return instruction(COMPUTE_BUDGET_PROGRAM, [], data);
};

it("accepts limit and price up to the runtime's maximum and our own", () => {
  expect(refuseComputeBudget([])).toBeNull();
  expect(refuseComputeBudget([limit(1_400_000), price(200_000n)])).toBeNull();
  expect(refuseComputeBudget([price(0n), limit(0)])).toBeNull();
});

it.each([
  ["the compute limit is too high", [limit(1_400_001)]],
  ["the priority fee is too high", [price(200_001n)]],
  ["a compute budget is set twice", [limit(1), price(1n), limit(1)]],
  ["a compute budget names accounts", [{ ...limit(1), accounts: [readonly(SYSTEM_PROGRAM)] }]],
  ["it is no compute budget", [limit(1), { ...price(1n), programAddress: SYSTEM_PROGRAM }]],
  ["the compute budget is of an unknown kind", [instruction(COMPUTE_BUDGET_PROGRAM, [], [])]],
  ["the compute budget is of an unknown kind", [instruction(COMPUTE_BUDGET_PROGRAM, [], [1, 0])]],
  ["the compute budget is of an unknown kind", [{ ...limit(1), data: limit(1).data.slice(0, 4) }]],
  [
    "the compute budget is of an unknown kind",
    [{ ...price(1n), data: new Uint8Array(10).fill(3) }],
  ],
])("refuses: %s", (reason, given) => {
  expect(refuseComputeBudget(given)).toBe(reason);
});
