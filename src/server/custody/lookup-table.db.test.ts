import type { Address } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { passAuction } from "../../../test/auctions.ts";
import { createCustodyWorld, USDC } from "../../../test/custody-world.ts";
import { openLong } from "../../../test/open-long.ts";
import { useDatabase } from "../../../test/database.ts";
import { PRACTICE_LOOKUP_TABLE } from "../../practice/practice-table.ts";
import type { Chain } from "../../solana/chain.ts";
import { LOOKUP_TABLE_PROGRAM } from "../../solana/programs/address-lookup-table.ts";
import { DRIFT_V2_INSTANCE } from "../../venues/drift/instance.ts";

const database = useDatabase({ isEach: true });

async function setUpWithDeposit(options: { readonly hasLookupTable?: true }) {
  const world = await createCustodyWorld(database, { ...options, auctionSlots: 10 });
  await world.setUp();
  await world.approve(await world.prepare("deposit", "500"));
  await openLong(world);
  await database.db.updateTable("agents").set({ auto_trade: "off" }).execute();
  return world;
}

describe("the shared lookup table", () => {
  it("is sent to the page only with transactions that name it", async () => {
    const world = await createCustodyWorld(database, { hasLookupTable: true, venue: "jupiter" });
    const creating = await world.prepare("set-up");
    expect(creating.tables).toEqual([]);
    await world.approve(creating);
    const { tables } = await world.prepare("set-up");
    expect(tables).toMatchObject([{ address: PRACTICE_LOOKUP_TABLE }]);
    expect(tables[0]?.addresses).toContain(DRIFT_V2_INSTANCE.quote.mint);
  });

  it("allows a withdrawal beside an open position, which does not fit without it", async () => {
    const world = await setUpWithDeposit({ hasLookupTable: true });
    const before = await world.quote(world.owner.address);
    const prepared = await world.prepare("withdraw", "100");
    expect(prepared.tables).toHaveLength(1);
    expect(await world.approve(prepared)).toMatchObject({ state: "confirmed" });
    expect(await world.quote(world.owner.address)).toBe(before + 100n * USDC);
  });

  it("is named in the refusal when a transaction does not fit without it", async () => {
    const world = await setUpWithDeposit({});
    await expect(world.prepare("withdraw", "100")).rejects.toMatchObject({
      code: "transaction_too_large",
      message: expect.stringMatching(/without the deployment's lookup table/),
    });
    const closing = await world.prepare("close-positions");
    expect(closing.tables).toEqual([]);
    expect(await world.approve(closing)).toMatchObject({ state: "confirmed" });
    await passAuction(world);
    await world.approve(await world.prepare("close-positions"));
    await world.approve(await world.prepare("close-positions"));
    expect(await world.approve(await world.prepare("withdraw", "100"))).toMatchObject({
      state: "confirmed",
    });
  });

  it("is not used while it is wrong on the chain", async () => {
    const world = await createCustodyWorld(database, { hasLookupTable: true });
    await world.approve(await world.prepare("set-up"));
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
      expect(prepared).toMatchObject({ step: 2, tables: [] });
    }
  });

  it("is read again before a signed transaction is sent", async () => {
    const world = await createCustodyWorld(database, { hasLookupTable: true });
    await world.approve(await world.prepare("set-up"));
    const prepared = await world.prepare("set-up");
    expect(prepared.tables).toHaveLength(1);
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
