import { describe, expect, it } from "vitest";
import { createTestClock } from "../../../test/clock.ts";
import { CALL_CLASSES } from "../../solana/request-budget.ts";
import { openRpcNetwork } from "../../solana/rpc-network.ts";
import { withCallClasses } from "./open-networks.ts";

/** A network whose node takes a call and never answers it, except which chain it serves. */
function openHanging(wait: (ms: number) => Promise<unknown>) {
  const pool = openRpcNetwork("practice", ["http://node"], {
    genesisHash: "genesis",
    clock: createTestClock(),
    post: (_, body) =>
      body.includes("getGenesisHash")
        ? Promise.resolve({ status: 200, body: '{"jsonrpc":"2.0","id":"1","result":"genesis"}' })
        : new Promise<never>(() => {}),
    sleep: async () => {},
    sharing: { budget: { take: async () => {}, limited() {} }, endOfTick: async () => {}, wait },
  });
  return withCallClasses({ network: "practice", explorerUrl: null }, pool, () => []);
}

describe("a network that hangs", () => {
  it("is given up by calls that people wait for, but not by trading", async () => {
    const limits: number[] = [];
    const runtime = openHanging(async (ms) => void limits.push(ms));
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

  it("still answers the calls that do not hang", async () => {
    let giveUp = (): void => {};
    const runtime = openHanging(() => new Promise<void>((resolve) => (giveUp = resolve)));
    const outcome = runtime.chain.progress("confirmed");
    giveUp();
    await expect(outcome).rejects.toThrow("answered in time");
    await expect(runtime.chain.genesisHash()).resolves.toEqual(expect.any(String));
  });
});
