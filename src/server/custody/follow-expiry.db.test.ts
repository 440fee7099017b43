import type { Address } from "@solana/kit";
import { beforeEach, describe, expect, it } from "vitest";
import { createCustodyWorld, type CustodyWorld } from "../../../test/custody-world.ts";
import { useDatabase } from "../../../test/database.ts";
import { touchOften } from "../../../test/touch-often.ts";
import { SLOT_MS } from "../../practice/slots.ts";
import { type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import { multisigCodec } from "../../solana/programs/squads-accounts.ts";
import { deriveVaultTransaction } from "../../solana/programs/squads.ts";
import { signatureOf } from "../../solana/signing.ts";

const database = useDatabase();
let world: CustodyWorld;

beforeEach(async () => {
  world = await createCustodyWorld(database);
  await world.setUp();
});

/** Returns the account of the vault's next transaction, which everybody can work out. */
async function nextVaultTransaction(): Promise<Address> {
  const { multisig } = world.keys.of(world.agentId);
  const [account] = (await world.chain.accounts([multisig])).accounts;
  const { transactionIndex } = multisigCodec.decode(account?.data ?? new Uint8Array());
  return deriveVaultTransaction(multisig, transactionIndex + 1n).address;
}

/** A node whose statuses and history end here, whatever height it tells. */
async function endingHere(): Promise<(chain: Chain) => Chain> {
  const { slot } = await world.chain.progress("confirmed");
  const requireSeen = (least = 0n) => {
    if (least > slot) throw new ChainUnavailableError("Behind", { trouble: "behind" });
  };
  return (chain) => ({
    ...chain,
    async signatureStatuses(signatures, { minSlot } = {}) {
      requireSeen(minSlot);
      return { slot, statuses: signatures.map(() => null) };
    },
    async signaturesFor(_address, _limit, { minSlot } = {}) {
      requireSeen(minSlot);
      return [];
    },
  });
}

/** A node that kept nothing from before now, and answers as if there had been nothing. */
async function beginningHere(): Promise<(chain: Chain) => Chain> {
  const { slot } = await world.chain.progress("confirmed");
  return (chain) => ({
    ...chain,
    historyStart: async () => slot + 200n,
    signatureStatuses: async (signatures) => ({
      slot: slot + 300n,
      statuses: signatures.map(() => null),
    }),
    signaturesFor: async () => [],
  });
}

const NODES = { endingHere, beginningHere } as const;

describe("an owner's transaction that landed", () => {
  it.each([
    ["a node whose height is ahead of its statuses", "endingHere", true],
    ["a node whose height is ahead of its statuses", "endingHere", false],
    ["a node that forgot it", "beginningHere", true],
    ["a node that forgot it", "beginningHere", false],
  ] as const)(
    "is not reported as expired by %s (%s, reported: %s)",
    async (_, kind, isReported) => {
      const prepared = await world.prepare("deposit", "10");
      const node = await NODES[kind]();
      const signed = world.sign(prepared);
      await world.chain.send(signed);
      world.clock.advance(300 * SLOT_MS);

      const server = world.serverOn(node);
      if (isReported) await server.acceptSent(prepared.id, signatureOf(signed));
      await server.follow();
      const open = await server.find(prepared.id);
      expect(open?.state).toBe(isReported ? "sent" : "prepared");
      // A server that starts anew remembers nothing of it either
      const again = world.serverOn(node);
      await again.follow();
      expect((await again.find(prepared.id))?.state).toBe(open?.state);

      await world.custody.follow();
      expect(await world.custody.find(prepared.id)).toMatchObject({
        state: "confirmed",
        signature: signatureOf(signed),
      });
    },
  );

  it("is found among more transactions than one search reads", async () => {
    const prepared = await world.prepare("deposit", "10");
    const used = await nextVaultTransaction();
    const signed = world.sign(prepared);
    await world.chain.send(signed);
    await touchOften(world.chain, used, 30);
    world.clock.advance(300 * SLOT_MS);
    await world.custody.follow();
    expect(await world.custody.find(prepared.id)).toMatchObject({
      state: "confirmed",
      signature: signatureOf(signed),
    });
  });
});

describe("an owner's transaction that the wallet sent without reporting it", () => {
  it("is found at once behind a stranger's transactions, so that no second one is prepared", async () => {
    const prepared = await world.prepare("deposit", "10");
    const used = await nextVaultTransaction();
    const signed = world.sign(prepared);
    await world.chain.send(signed);
    await touchOften(world.chain, used, 30);
    await expect(world.custody.renew(prepared.id)).rejects.toMatchObject({
      code: "transaction_landed",
    });
    expect(await world.custody.find(prepared.id)).toMatchObject({
      state: "confirmed",
      signature: signatureOf(signed),
    });
  });
});

describe("an owner's transaction that expired", () => {
  it("ends although a stranger named its account in a thousand transactions", async () => {
    const prepared = await world.prepare("deposit", "10");
    await world.custody.acceptSent(prepared.id, signatureOf(world.sign(prepared)));
    await touchOften(world.chain, await nextVaultTransaction(), 1_005);
    world.clock.advance(300 * SLOT_MS);
    await world.custody.follow();
    expect(await world.custody.find(prepared.id)).toMatchObject({ state: "expired" });
    await expect(world.prepare("deposit", "10")).resolves.toBeDefined();
  });
});
