import type { Address } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { createTestClock } from "../../test/clock.ts";
import { type Chain, ChainUnavailableError } from "./chain.ts";
import { batchedReads } from "./batched-reads.ts";
import { linkChain } from "./chain-links.ts";
import { keypairFromSeed } from "./encoding/keys.ts";

const addresses = Array.from(
  { length: 250 },
  (_, at) => keypairFromSeed(new Uint8Array(32).fill(1 + at)).address,
);

function createBench(keptMs?: number) {
  const clock = createTestClock();
  const asked: { addresses: readonly Address[]; least: bigint | undefined }[] = [];
  let slot = 100n;
  const below = {
    async accounts(wanted: readonly Address[], options: { minContextSlot?: bigint } = {}) {
      asked.push({ addresses: wanted, least: options.minContextSlot });
      if (wanted.includes(addresses[249] as Address)) throw new ChainUnavailableError("No answer.");
      slot += 1n;
      return {
        slot,
        accounts: wanted.map((address) => ({
          address,
          lamports: BigInt(addresses.indexOf(address)),
          owner: address,
          data: new Uint8Array(),
          executable: false,
        })),
      };
    },
  } as Pick<Chain, "accounts"> as Chain;
  const chain = linkChain(
    below,
    batchedReads(
      () => new Promise((resolve) => setImmediate(resolve)),
      keptMs === undefined ? undefined : { class: "owner", ms: keptMs, clock },
    ),
  );
  const read = async (from: number, to: number, minContextSlot?: bigint) => {
    const answer = await chain.accounts(
      addresses.slice(from, to),
      minContextSlot === undefined ? {} : { minContextSlot },
    );
    return answer.accounts.map((account) => Number(account?.lamports));
  };
  return { clock, chain, asked, read };
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => from + at);

describe("batched reads", () => {
  it("combines simultaneous reads into one request, with shared accounts once", async () => {
    const { asked, read } = createBench();
    const answers = await Promise.all([read(0, 10), read(5, 20), read(0, 3)]);
    expect(answers).toEqual([numbers(0, 10), numbers(5, 20), numbers(0, 3)]);
    expect(asked.map((request) => request.addresses.length)).toEqual([20]);
  });

  it("never splits a read, so that all its accounts come from one slot", async () => {
    const { asked, read } = createBench();
    await Promise.all([read(0, 60), read(60, 120), read(120, 150)]);
    expect(asked.map((request) => request.addresses.length)).toEqual([90, 60]);
  });

  it("requests reads with a minimum slot separately", async () => {
    const { asked, read } = createBench();
    await Promise.all([read(0, 2), read(0, 2, 7n)]);
    expect(asked.map(({ least }) => least)).toEqual([undefined, 7n]);
  });

  it("fails only the reads whose request failed", async () => {
    const { read } = createBench();
    const [fine, broken] = await Promise.allSettled([read(0, 90), read(230, 250)]);
    expect(fine).toMatchObject({ status: "fulfilled" });
    expect(broken).toMatchObject({ status: "rejected", reason: expect.any(ChainUnavailableError) });
  });

  it("reuses a very recent answer, but never one older than the required slot", async () => {
    const { clock, asked, read } = createBench(1_000);
    await read(0, 10);
    expect(await read(3, 5)).toEqual([3, 4]);
    expect(asked).toHaveLength(1);
    await read(3, 5, 500n);
    expect(asked).toHaveLength(2);
    clock.advance(1_000);
    await read(3, 5);
    expect(asked).toHaveLength(3);
  });
});
