import { describe, expect, it } from "vitest";
import { ChainUnavailableError, type Simulation } from "./chain.ts";
import { measureCompute, withComputeLimit } from "./compute-limit.ts";
import { decodeTransaction } from "./decode-transaction.ts";
import { keypairFromSeed } from "./encoding/keys.ts";
import {
  readComputeUnitLimit,
  setComputeUnitLimit,
  setComputeUnitPrice,
} from "./programs/compute-budget.ts";
import { transferLamports } from "./programs/system.ts";

const payer = keypairFromSeed(new Uint8Array(32).fill(1)).address;
const other = keypairFromSeed(new Uint8Array(32).fill(2)).address;
const work = transferLamports({ from: payer, to: other }, 1n);
const instructions = [setComputeUnitLimit(250_000), setComputeUnitPrice(5_000n), work];

const answering = (unitsConsumed: bigint, error: Simulation["error"] = null) => ({
  simulate: async () => ({ error, logs: ["seen"], unitsConsumed }),
});
const transaction = { feePayer: payer, instructions };

describe("measureCompute", () => {
  it("requests the simulated consumption plus a margin, and changes nothing else", async () => {
    const measured = await measureCompute(answering(75_000n), transaction);
    expect(measured).toMatchObject({ units: 113_750, simulation: { logs: ["seen"] } });
    const fitted = withComputeLimit(instructions, measured);
    expect(fitted.map(readComputeUnitLimit)).toEqual([113_750, null, null]);
    expect(fitted.slice(1)).toEqual(instructions.slice(1));
  });

  it("simulates exactly the instructions with their own limit", async () => {
    let seen: Uint8Array | undefined;
    const chain = {
      async simulate(wire: Uint8Array) {
        seen = wire;
        return { error: null, logs: [], unitsConsumed: 1n };
      },
    };
    await measureCompute(chain, transaction);
    const decoded = decodeTransaction(seen ?? new Uint8Array(), {});
    expect(decoded.feePayer).toBe(payer);
    expect(decoded.instructions.map(readComputeUnitLimit)).toEqual([250_000, null, null]);
  });

  it.each([
    [
      "the chain does not answer",
      { simulate: () => Promise.reject(new ChainUnavailableError("Away")) },
    ],
    ["the simulation says nothing of units", answering(0n)],
    ["more is needed than is ever given", answering(240_000n)],
    ["the simulation fails", answering(75_000n, { kind: "transaction", name: "AccountNotFound" })],
  ])("keeps the limit where %s", async (_, chain) => {
    const measured = await measureCompute(chain, transaction);
    expect(measured.units).toBeNull();
    expect(withComputeLimit(instructions, measured)).toBe(instructions);
  });

  it("does not call the chain for instructions without a limit, and hides no other failure", async () => {
    const broken = { simulate: () => Promise.reject(new Error("a mistake of ours")) };
    const bare = await measureCompute(broken, { feePayer: payer, instructions: [work] });
    expect(bare).toEqual({ units: null, simulation: null });
    await expect(measureCompute(broken, transaction)).rejects.toThrow("a mistake of ours");
  });
});
