import { describe, expect, it } from "vitest";
import { instruction, readonly, writable } from "../../../solana/encoding/instruction.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import { keypairFromSeed } from "../../../solana/encoding/keys.ts";
import {
  setComputeUnitLimit,
  setComputeUnitPrice,
} from "../../../solana/programs/compute-budget.ts";
import { DEFAULT_PRIORITY_FEE } from "../../../solana/compute-limit.ts";
import { bidPriorityFee } from "./sign-order.ts";

const key = (fill: number) => keypairFromSeed(new Uint8Array(32).fill(fill)).address;
const trade = instruction(key(1), [writable(key(2)), readonly(key(3))], [7]);
const order = [setComputeUnitLimit(200_000), setComputeUnitPrice(5_000n), trade];

describe("the priority fee of an order", () => {
  it("follows the blocks that changed its accounts, and changes nothing else", async () => {
    const asked: unknown[] = [];
    const recentUnitPrices = async (accounts: readonly unknown[]) => {
      asked.push(accounts);
      return [1_000n, 9_000n, 30_000n, 20_000n];
    };
    expect(await bidPriorityFee({ recentUnitPrices }, order)).toEqual([
      setComputeUnitLimit(200_000),
      setComputeUnitPrice(20_000n),
      trade,
    ]);
    expect(asked).toEqual([[key(2)]]);
    await bidPriorityFee({ recentUnitPrices }, order, { own: [key(2)] });
    expect(asked.at(-1)).toEqual([]);
  });

  it("is at least the venue's price, at most the cap, and never late", async () => {
    const quiet = { recentUnitPrices: async () => [0n] };
    expect(await bidPriorityFee(quiet, order)).toEqual(order);
    const busy = { recentUnitPrices: async () => [90_000_000n] };
    expect(await bidPriorityFee(busy, order)).toContainEqual(setComputeUnitPrice(100_000n));
    // More than the signer lets the fee payer offer would be signed for never
    const policy = { ...DEFAULT_PRIORITY_FEE, capMicroLamports: 10_000_000n };
    expect(await bidPriorityFee(busy, order, { policy })).toContainEqual(
      setComputeUnitPrice(200_000n),
    );
    const silent = { recentUnitPrices: () => Promise.reject(new ChainUnavailableError("No")) };
    expect(await bidPriorityFee(silent, order)).toEqual(order);
  });

  it("is zero when the venue offers none", async () => {
    const never = { recentUnitPrices: () => Promise.reject(new Error("Not to be asked")) };
    expect(await bidPriorityFee(never, [trade])).toEqual([trade]);
  });
});
