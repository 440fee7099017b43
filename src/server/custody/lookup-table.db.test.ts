import type { Address } from "@solana/kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCustodyWorld, type CustodyWorld, SOL, USDC } from "../../../test/custody-world.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import { PRACTICE_LOOKUP_TABLE } from "../../practice/practice-table.ts";
import type { Chain } from "../../solana/chain.ts";
import { LOOKUP_TABLE_PROGRAM } from "../../solana/programs/address-lookup-table.ts";
import { signTransaction } from "../../solana/signing.ts";
import { compileTransaction } from "../../solana/transaction.ts";
import { DRIFT_V2_PROFILE } from "../../venues/drift/profile.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(() => database.drop());

/** A long of one asset by the agent's own key, as an alert would have asked for. */
async function openPosition(world: CustodyWorld): Promise<void> {
  const { chain, networks, keys, agentId, owner } = world;
  const { multisig, vault, delegate } = keys.of(agentId);
  const venue = networks.get("practice")?.venues.get("drift");
  const account = { owner: owner.address, multisig, vault, delegate: delegate.address };
  const order = await venue?.buildOrder({ ...account, subAccountId: 0 }, {
    market: { marketId: "SOL-PERP" },
    side: "long",
    baseSize: 1_000_000_000n,
    referencePrice: 155_000_000n,
    slippageBps: 100,
    reduceOnly: false,
  } as never);
  await chain.fund(delegate.address, { lamports: SOL, quoteUnits: 0n });
  const lifetime = await chain.latestBlockhash();
  const instructions = order?.instructions ?? [];
  const bytes = compileTransaction({ feePayer: delegate.address, lifetime, instructions });
  await chain.send(signTransaction(bytes, delegate));
}

async function setUpWithDeposit(options: { readonly hasLookupTable?: true }) {
  const world = await createCustodyWorld(database, options);
  await world.setUp();
  await world.approve(await world.prepare("deposit", "500"));
  await openPosition(world);
  await database.db.updateTable("agents").set({ auto_trade: "off" }).execute();
  return world;
}

describe("the shared lookup table", () => {
  it("makes a whole set-up one signature, with what it holds handed to the page", async () => {
    const world = await createCustodyWorld(database, { hasLookupTable: true });
    const before = await world.lamports(world.owner.address);
    const prepared = await world.prepare("set-up");
    expect(prepared).toMatchObject({ method: "sign", step: 1, stepCount: 1 });
    expect(prepared.tables).toMatchObject([{ address: PRACTICE_LOOKUP_TABLE }]);
    expect(prepared.tables[0]?.addresses).toContain(DRIFT_V2_PROFILE.quote.mint);
    const steps = async () =>
      (await world.custody.summarise(world.agentId)).steps.map(({ state }) => state);
    expect(await steps()).toEqual(["open", "open", "open"]);
    expect(await world.approve(prepared)).toMatchObject({ state: "confirmed" });
    expect(await steps()).toEqual(["done", "done", "done"]);
    expect((await world.agent()).multisig).toMatchObject({ status: "active", delegated: true });
    expect(await world.custody.prepare({ agentId: world.agentId, intent: "set-up" })).toBeNull();
    const { networkFeeLamports, rentLamports, transferLamports } = prepared.costs;
    expect(before - (await world.lamports(world.owner.address))).toBe(
      BigInt(networkFeeLamports) + BigInt(rentLamports) + BigInt(transferLamports),
    );
  });

  it("lets an owner withdraw beside an open position, which does not fit without it", async () => {
    const world = await setUpWithDeposit({ hasLookupTable: true });
    const before = await world.quote(world.owner.address);
    const prepared = await world.prepare("withdraw", "100");
    expect(prepared.tables).toHaveLength(1);
    expect(await world.approve(prepared)).toMatchObject({ state: "confirmed" });
    expect(await world.quote(world.owner.address)).toBe(before + 100n * USDC);
  });

  it("is missed in words where a transaction does not fit without it", async () => {
    const world = await setUpWithDeposit({});
    await expect(world.prepare("withdraw", "100")).rejects.toMatchObject({
      code: "transaction_too_large",
      message: expect.stringMatching(/without the deployment's lookup table/),
    });
    const closing = await world.prepare("close-positions");
    expect(closing.tables).toEqual([]);
    expect(await world.approve(closing)).toMatchObject({ state: "confirmed" });
    await world.approve(await world.prepare("close-positions"));
    expect(await world.approve(await world.prepare("withdraw", "100"))).toMatchObject({
      state: "confirmed",
    });
  });

  it("is done without while the chain does not have it as it should be", async () => {
    const world = await createCustodyWorld(database, { hasLookupTable: true });
    const withTable =
      (change: (account: { readonly owner: Address }) => object | null) =>
      (chain: Chain): Chain => ({
        ...chain,
        async accounts(addresses, options) {
          const answer = await chain.accounts(addresses, options);
          return {
            ...answer,
            accounts: answer.accounts.map((account) =>
              account?.owner === LOOKUP_TABLE_PROGRAM
                ? (change(account) as typeof account | null)
                : account,
            ),
          };
        },
      });
    for (const change of [
      () => null,
      (account: object) => ({ ...account, owner: world.owner.address }),
      (account: object) => ({ ...account, data: new Uint8Array(56) }),
    ]) {
      const prepared = await world.serverOn(withTable(change)).prepare({
        agentId: world.agentId,
        intent: "set-up",
      });
      expect(prepared).toMatchObject({ stepCount: 2, tables: [] });
    }
  });

  it("is read again before a returned transaction is co-signed", async () => {
    const world = await createCustodyWorld(database, { hasLookupTable: true });
    const prepared = await world.prepare("set-up");
    const signed = world.sign(prepared);
    const blind = world.serverOn((chain) => ({
      ...chain,
      accounts: (addresses, options) =>
        addresses.includes(PRACTICE_LOOKUP_TABLE)
          ? chain.accounts([world.owner.address], options)
          : chain.accounts(addresses, options),
    }));
    await expect(blind.acceptSigned(prepared.id, signed)).rejects.toMatchObject({
      code: "unavailable",
    });
    expect(await world.custody.acceptSigned(prepared.id, signed)).toMatchObject({
      state: "confirmed",
    });
  });
});
