import { describe, expect, it } from "vitest";
import { openPracticeBench } from "./chain-bench.ts";
import { transferLamports } from "../src/solana/programs/system.ts";
import { signatureOf } from "../src/solana/signing.ts";
import { ChainUnavailableError } from "../src/solana/chain.ts";
import { inOrder, seeded, withFaults } from "./faults.ts";
import { signTransaction, practiceKeyPair } from "../src/practice/sign-transaction.ts";

const alice = practiceKeyPair("alice");
const bob = practiceKeyPair("bob");

async function openFaulty() {
  const { chain, clock } = await openPracticeBench();
  await chain.fund(alice.address, { lamports: 1_000_000_000n, quoteUnits: 0n });
  const faulty = withFaults(chain);
  const held = async () => (await faulty.accounts([bob.address])).accounts[0]?.lamports ?? 0n;
  const bytes = async (lamports: bigint) => {
    const { blockhash } = await chain.latestBlockhash();
    const transfer = transferLamports({ from: alice.address, to: bob.address }, lamports);
    return signTransaction([alice], [transfer], blockhash);
  };
  const status = async (transaction: Uint8Array) =>
    (await faulty.signatureStatuses([signatureOf(transaction)])).statuses[0]?.commitment ?? null;
  return { faulty, clock, held, bytes, status };
}

describe("a chain with faults", () => {
  it("can refuse without landing, and can lose the answer after landing", async () => {
    const { faulty, held, bytes, status } = await openFaulty();
    faulty.script(inOrder("refuse", "lose-answer"));
    const transaction = await bytes(1_000_000n);
    await expect(faulty.send(transaction)).rejects.toThrow(ChainUnavailableError);
    expect(await status(transaction)).toBeNull();
    await expect(faulty.send(transaction)).rejects.toThrow(ChainUnavailableError);
    expect(await status(transaction)).toBe("confirmed");
    expect(await faulty.send(transaction)).toBe(signatureOf(transaction));
    expect(await held()).toBe(1_000_000n);
  });

  it("can drop a transaction silently, and accepts the same bytes later", async () => {
    const { faulty, held, bytes, status } = await openFaulty();
    faulty.script(inOrder("drop"));
    const transaction = await bytes(1_000_000n);
    expect(await faulty.send(transaction)).toBe(signatureOf(transaction));
    expect(await status(transaction)).toBeNull();
    await faulty.send(transaction);
    expect(await held()).toBe(1_000_000n);
  });

  it("reports a forked transaction as confirmed and then forgets it", async () => {
    const { faulty, held, bytes, status } = await openFaulty();
    faulty.script(inOrder("fork"));
    const transaction = await bytes(1_000_000n);
    await faulty.send(transaction);
    expect(await status(transaction)).toBe("confirmed");
    faulty.resolveForks();
    expect(await status(transaction)).toBeNull();
    expect(await held()).toBe(0n);
  });

  it("delays transactions until released, in order", async () => {
    const { faulty, held, bytes, status } = await openFaulty();
    faulty.script(inOrder("delay", "delay"));
    const first = await bytes(1_000_000n);
    await faulty.send(first);
    await faulty.send(await bytes(2_000_000n));
    expect(await status(first)).toBeNull();
    await faulty.release();
    expect(await status(first)).toBe("confirmed");
    expect(await held()).toBe(3_000_000n);
  });

  it("answers from the past while stale, and refuses when a newer slot is required", async () => {
    const { faulty, clock, held, bytes } = await openFaulty();
    await faulty.setStale([bob.address]);
    clock.ms += 4_000;
    await faulty.send(await bytes(1_000_000n));
    expect(await held()).toBe(0n);
    const { slot: minContextSlot } = await faulty.progress("confirmed");
    await expect(faulty.accounts([bob.address], { minContextSlot })).rejects.toThrow(
      ChainUnavailableError,
    );
    await faulty.setStale(false);
    expect(await held()).toBe(1_000_000n);
  });

  it("answers nothing while down", async () => {
    const { faulty } = await openFaulty();
    faulty.setDown(true);
    await expect(faulty.latestBlockhash()).rejects.toThrow(ChainUnavailableError);
    faulty.setDown(false);
    expect((await faulty.latestBlockhash()).blockhash).toMatch(/^\w{32,44}$/);
  });

  it("draws the same faults from the same seed, at about the requested rate", () => {
    const play = (seed: number) =>
      Array.from({ length: 1_000 }, (_, send) => seeded(seed, 20, ["drop", "fork"])(send));
    expect(play(1)).toEqual(play(1));
    expect(play(1)).not.toEqual(play(2));
    const hit = play(1).filter((fault) => fault !== undefined).length;
    expect(hit).toBeGreaterThan(150);
    expect(hit).toBeLessThan(250);
  });
});
