import type { Address } from "@solana/kit";
import { expect, it } from "vitest";
import { signTransaction, practiceKeyPair } from "../src/practice/sign-transaction.ts";
import { BLOCKHASH_LIFETIME_SLOTS, FINALITY_SLOTS, SLOT_MS } from "../src/practice/slots.ts";
import { type Chain, ChainUnavailableError, TransactionRefusedError } from "../src/solana/chain.ts";
import {
  createLookupTable,
  deriveLookupTable,
  extendLookupTable,
} from "../src/solana/programs/address-lookup-table.ts";
import { transferLamports } from "../src/solana/programs/system.ts";
import { askSignature } from "../src/solana/settle-signature.ts";
import { signatureOf } from "../src/solana/signing.ts";

/** Chain under test with controls of its environment. */
export interface ConformanceWorld {
  readonly chain: Chain;
  give(at: Address, lamports: bigint): Promise<void>;
  /** Advances the chain's time. */
  pass(ms: number): void;
}

const alice = practiceKeyPair("conformance alice");
const bob = practiceKeyPair("conformance bob");
const SOL = 1_000_000_000n;

/** Conformance suite of chain adapters. Each case calls `open` for a new world. */
export function describeChain(open: () => Promise<ConformanceWorld>): void {
  const begin = async () => {
    const world = await open();
    await world.give(alice.address, 10n * SOL);
    world.pass(SLOT_MS);
    return world;
  };

  const transfer = async ({ chain }: ConformanceWorld, lamports: bigint) => {
    const lifetime = await chain.latestBlockhash();
    const give = transferLamports({ from: alice.address, to: bob.address }, lamports);
    const bytes = signTransaction([alice], [give], lifetime.blockhash);
    const { lastValidBlockHeight, slot: blockhashSlot } = lifetime;
    return { bytes, sent: { signature: signatureOf(bytes), lastValidBlockHeight, blockhashSlot } };
  };

  it("reads accounts with their slot, and null for missing ones", async () => {
    const { chain } = await begin();
    const { slot, accounts } = await chain.accounts([alice.address, bob.address]);
    expect(accounts[0]).toMatchObject({ address: alice.address, lamports: 10n * SOL });
    expect(accounts[1]).toBeNull();
    await expect(chain.accounts([alice.address], { minContextSlot: slot })).resolves.toBeDefined();
    const ahead = { minContextSlot: slot + 1_000n };
    await expect(chain.accounts([alice.address], ahead)).rejects.toThrow(ChainUnavailableError);
  });

  it("returns slot and height together, and finality behind both", async () => {
    const world = await begin();
    world.pass(100 * SLOT_MS);
    const confirmed = await world.chain.progress("confirmed");
    const finalized = await world.chain.progress("finalized");
    expect(finalized.slot).toBeLessThan(confirmed.slot);
    expect(finalized.blockHeight).toBeLessThan(confirmed.blockHeight);
    expect(confirmed.blockHeight).toBeLessThanOrEqual(confirmed.slot);
  });

  it("reports the change of every balance by a landed transaction", async () => {
    const world = await begin();
    const { bytes, sent } = await transfer(world, SOL);
    expect(await world.chain.send(bytes)).toBe(sent.signature);
    const outcome = await world.chain.transaction(sent.signature);
    expect(outcome).toMatchObject({ signature: sent.signature, error: null, feeLamports: 5_000n });
    expect(outcome?.lamportDeltas.get(bob.address)).toBe(SOL);
    expect(outcome?.lamportDeltas.get(alice.address)).toBe(-SOL - 5_000n);
    expect(outcome?.slot).toBeGreaterThanOrEqual(sent.blockhashSlot);
    expect(await world.chain.signaturesFor(bob.address, 5)).toEqual([sent.signature]);
    const later = { sinceSlot: (outcome?.slot ?? 0n) + 1n };
    expect(await world.chain.signaturesFor(bob.address, 5, later)).toEqual([]);
  });

  it("accepts the same bytes twice with one effect", async () => {
    const world = await begin();
    const { bytes, sent } = await transfer(world, SOL);
    await world.chain.send(bytes);
    expect(await world.chain.send(bytes)).toBe(sent.signature);
    const { accounts } = await world.chain.accounts([bob.address]);
    expect(accounts[0]?.lamports).toBe(SOL);
  });

  it("refuses before execution with the runtime's error name, without effect", async () => {
    const world = await begin();
    const { bytes, sent } = await transfer(world, 100n * SOL);
    const refusal = await world.chain.send(bytes).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(TransactionRefusedError);
    const error = { kind: "instruction", name: "Custom", code: 1, instructionIndex: 0 };
    expect(refusal).toMatchObject({ error });
    expect((await world.chain.simulate(bytes)).error).toEqual(error);
    expect((await world.chain.signatureStatuses([sent.signature])).statuses).toEqual([null]);
  });

  it("refuses an old blockhash by name, and simulates with a new one in its place", async () => {
    const world = await begin();
    const { bytes } = await transfer(world, SOL);
    world.pass(Number(BLOCKHASH_LIFETIME_SLOTS + 5n) * SLOT_MS);
    const error = { kind: "transaction", name: "BlockhashNotFound" };
    await expect(world.chain.send(bytes)).rejects.toMatchObject({ error });
    expect((await world.chain.simulate(bytes)).error).toBeNull();
    const kept = await world.chain.simulate(bytes, { replaceBlockhash: false });
    expect(kept.error).toEqual(error);
  });

  it("reports the outcome of a transaction until it landed or can no longer land", async () => {
    const world = await begin();
    const { chain } = world;
    const first = await transfer(world, SOL);
    world.pass(SLOT_MS);
    const second = await transfer(world, 2n * SOL);
    expect(await askSignature(chain, first.sent)).toEqual({ kind: "pending" });
    await chain.send(first.bytes);
    expect(await askSignature(chain, first.sent)).toMatchObject({
      kind: "landed",
      status: { commitment: "confirmed", error: null },
    });
    world.pass(Number(BLOCKHASH_LIFETIME_SLOTS) * SLOT_MS);
    expect(await askSignature(chain, second.sent)).toEqual({ kind: "pending" });
    world.pass(Number(FINALITY_SLOTS + 2n) * SLOT_MS);
    expect(await askSignature(chain, second.sent)).toEqual({ kind: "expired" });
    expect(await askSignature(chain, first.sent)).toMatchObject({
      kind: "landed",
      status: { commitment: "finalized" },
    });
  });

  it("reports the changes of accounts from a lookup table", async () => {
    const world = await begin();
    const { chain } = world;
    world.pass(10 * SLOT_MS);
    const { slot } = await chain.progress("confirmed");
    const table = deriveLookupTable(alice.address, slot - 1n).address;
    const make = [
      createLookupTable(alice.address, slot - 1n),
      extendLookupTable(table, alice.address, [bob.address]),
    ];
    await chain.send(signTransaction([alice], make, (await chain.latestBlockhash()).blockhash));
    world.pass(2 * SLOT_MS);
    const { blockhash } = await chain.latestBlockhash();
    const give = transferLamports({ from: alice.address, to: bob.address }, SOL);
    const bytes = signTransaction([alice], [give], blockhash, { [table]: [bob.address] });
    const outcome = await chain.transaction(await chain.send(bytes));
    expect(outcome?.lamportDeltas.get(bob.address)).toBe(SOL);
  });
}
