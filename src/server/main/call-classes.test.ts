import { describe, expect, it } from "vitest";
import { openPracticeBench } from "../../../test/chain-bench.ts";
import { createTestClock } from "../../../test/clock.ts";
import { CALL_CLASSES } from "../../solana/request-budget.ts";
import { wrapChain } from "../../solana/wrap-chain.ts";
import { withCallClasses } from "./call-classes.ts";

/** A network whose nodes take a call and never answer. */
async function openHanging(sleep: (ms: number) => Promise<unknown>) {
  const { chain } = await openPracticeBench();
  const hanging = wrapChain(chain, () => ({ progress: () => new Promise<never>(() => {}) }));
  return withCallClasses({ network: "mainnet", chain: hanging, explorerUrl: null }, () => [], {
    clock: createTestClock(),
    budget: { take: async () => {} },
    endOfMoment: async () => {},
    sleep,
  });
}

describe("a network that hangs", () => {
  it("is given up by what people wait for, and not by what trades", async () => {
    const limits: number[] = [];
    const runtime = await openHanging(async (ms) => void limits.push(ms));
    for (const callClass of CALL_CLASSES) {
      const outcome = runtime
        .inClass?.(callClass)
        .chain.progress("confirmed")
        .then(
          () => "answered",
          (error: Error) => error.message,
        );
      // Everything else that can happen has happened by the next turn of the loop
      const waiting = new Promise((resolve) => setImmediate(() => resolve("waits")));
      const isPerson = callClass === "owner" || callClass === "screen";
      expect(await Promise.race([outcome, waiting])).toBe(
        isPerson ? "No node of practice answered in time." : "waits",
      );
    }
    expect(limits).toEqual([12_000, 6_000]);
  });

  it("still answers what it does not hang at", async () => {
    let giveUp = (): void => {};
    const runtime = await openHanging(() => new Promise<void>((resolve) => (giveUp = resolve)));
    const outcome = runtime.chain.progress("confirmed");
    giveUp();
    await expect(outcome).rejects.toThrow("answered in time");
    await expect(runtime.chain.genesisHash()).resolves.toEqual(expect.any(String));
  });
});
