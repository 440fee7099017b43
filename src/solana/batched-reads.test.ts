import type { Address, Signature } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { createTestClock } from "../../test/clock.ts";
import { type Chain, ChainUnavailableError } from "./chain.ts";
import { batchedReads, batchedStatuses, readPauseMs } from "./batched-reads.ts";
import { askOf, chainOf, linkChain } from "./chain-links.ts";
import { keypairFromSeed } from "./encoding/keys.ts";

const addresses = Array.from(
  { length: 250 },
  (_, at) => keypairFromSeed(new Uint8Array(32).fill(1 + at)).address,
);

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

function createBench(keptMs?: number, pause?: (reads: number) => Promise<unknown>) {
  const clock = createTestClock();
  let held = Promise.resolve();
  let release = (): void => {};
  const asked: { addresses: readonly Address[]; least: bigint | undefined }[] = [];
  let slot = 100n;
  const below = {
    async accounts(wanted: readonly Address[], options: { minContextSlot?: bigint } = {}) {
      asked.push({ addresses: wanted, least: options.minContextSlot });
      if (wanted.includes(addresses[249] as Address)) throw new ChainUnavailableError("No answer.");
      await held;
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
  const link = batchedReads(
    { endOfTick: turn, ...(pause && { pause }) },
    keptMs === undefined ? undefined : { class: "owner", ms: keptMs, clock },
  );
  const chain = linkChain(below, link);
  const urgent = chainOf("practice", link(askOf(below)), "exit");
  const read = async (from: number, to: number, minContextSlot?: bigint) => {
    const answer = await chain.accounts(
      addresses.slice(from, to),
      minContextSlot === undefined ? {} : { minContextSlot },
    );
    return answer.accounts.map((account) => Number(account?.lamports));
  };
  /** Lets no request end before `release`. */
  const hold = () => {
    held = new Promise((resolve) => (release = resolve));
  };
  return { clock, urgent, asked, read, hold, release: () => release() };
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

  it("gathers what is asked while two requests of its class are under way", async () => {
    const { asked, hold, release, read } = createBench();
    hold();
    const early = [read(0, 2), read(10, 12, 5n)];
    await turn();
    const later = [read(2, 4), read(4, 6), read(0, 4)];
    await turn();
    expect(asked.map(({ addresses: { length } }) => length)).toEqual([2, 2]);
    release();
    await Promise.all([...early, ...later]);
    expect(asked.map(({ addresses: { length } }) => length)).toEqual([2, 2, 6]);
  });

  it("sends a read of another class although two are under way", async () => {
    const { asked, hold, release, read, urgent } = createBench();
    hold();
    const early = [read(0, 2), read(10, 12, 5n)];
    await turn();
    const exit = urgent.accounts(addresses.slice(20, 22));
    await turn();
    expect(asked).toHaveLength(3);
    release();
    await Promise.all([...early, exit]);
  });

  describe("with a pause after each request", () => {
    it("gather all that is asked within it, and go at once after a rest", async () => {
      const pauses: (() => void)[] = [];
      const { asked, read } = createBench(
        undefined,
        () => new Promise<void>((end) => pauses.push(end)),
      );
      await read(0, 2);
      const later = [read(2, 4)];
      await turn();
      later.push(read(4, 6));
      await turn();
      expect(asked.map(({ addresses: { length } }) => length)).toEqual([2]);
      pauses[0]?.();
      expect(await Promise.all(later)).toEqual([numbers(2, 4), numbers(4, 6)]);
      expect(asked.map(({ addresses: { length } }) => length)).toEqual([2, 4]);
      pauses[1]?.();
      await turn();
      await read(6, 8);
      expect(asked).toHaveLength(3);
    });

    it("is longer after a request that many shared", async () => {
      const shared: number[] = [];
      const { read } = createBench(undefined, async (reads) => void shared.push(reads));
      await read(0, 2);
      await Promise.all([read(0, 2), read(2, 4), read(0, 4)]);
      expect(shared).toEqual([1, 3]);
      expect([1, 7, 8].map((reads) => readPauseMs(50, reads))).toEqual([400, 400, 800]);
    });

    it("send a full request within it, and every exit", async () => {
      const { asked, read, urgent } = createBench(undefined, () => new Promise(() => {}));
      await read(0, 2);
      const kept = [read(0, 90), read(90, 180)];
      await kept[0];
      expect(asked.map(({ addresses: { length } }) => length)).toEqual([2, 90]);
      for (const at of [20, 30, 40]) await urgent.accounts(addresses.slice(at, at + 2));
      expect(asked).toHaveLength(5);
    });
  });
});

describe("batched statuses", () => {
  it("are asked in one request, each answered with its own", async () => {
    const asked: (readonly Signature[])[] = [];
    const node = {
      async signatureStatuses(signatures: readonly Signature[]) {
        asked.push(signatures);
        const statuses = signatures.map((signature) =>
          signature === "b"
            ? null
            : { slot: BigInt(signature.length), commitment: "confirmed", error: null },
        );
        return { slot: 9n, statuses };
      },
    } as Pick<Chain, "signatureStatuses"> as Chain;
    const chain = linkChain(node, batchedStatuses({ endOfTick: turn }));
    const answers = await Promise.all(
      ["a", "b", "long"].map((each) => chain.signatureStatuses([each as Signature])),
    );
    expect(answers.map(({ statuses: [status] }) => status?.slot)).toEqual([1n, undefined, 4n]);
    expect(asked).toEqual([["a", "b", "long"]]);
  });
});
