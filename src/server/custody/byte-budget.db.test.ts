import { describe, expect, it } from "vitest";
import { passAuction } from "../../../test/auctions.ts";
import { createCustodyWorld, type CustodyWorld, USDC } from "../../../test/custody-world.ts";
import { useDatabase } from "../../../test/database.ts";
import { openLong } from "../../../test/open-long.ts";
import type { VenueId } from "../../domain/venue-id.ts";
import { isAppError } from "../../contract/errors.ts";
import { setComputeUnitLimit, setComputeUnitPrice } from "../../solana/programs/compute-budget.ts";
import { signTransaction } from "../../solana/signing.ts";
import { readTables } from "../../solana/programs/address-lookup-table.ts";
import {
  compileTransaction,
  roomOf,
  TRANSACTION_SIZE_LIMIT,
  WALLET_ROOM,
} from "../../solana/transaction.ts";
import { PRACTICE_LOOKUP_TABLE } from "../../practice/practice-table.ts";
import { findContext } from "./account/custody-context.ts";
import { planSetUp } from "./plans/plan-set-up.ts";
import { wrapVaultStep } from "./plans/custody-plan.ts";
import { readCustody, readVenueSetUp } from "./account/read-custody.ts";

const database = useDatabase({ isEach: true });

type Sizes = Record<string, number | "too large">;

/** Everything an owner is ever asked to sign, in an order that makes each possible, with its bytes. */
async function signEverything(
  venue: VenueId,
  options: Parameters<typeof createCustodyWorld>[1],
): Promise<Sizes> {
  const world = await createCustodyWorld(database, {
    venue,
    auctionSlots: 10,
    ...options,
  });
  const sizes: Sizes = {};
  const sign = async (name: string, ...request: Parameters<CustodyWorld["prepare"]>) => {
    try {
      const prepared = await world.prepare(...request);
      sizes[name] = Buffer.from(prepared.transaction, "base64").length;
      await world.approve(prepared);
    } catch (error) {
      if (!isAppError(error, "transaction_too_large")) throw error;
      sizes[name] = "too large";
    }
  };
  const set = (values: { auto_trade?: "on" | "off"; market_id?: string }) =>
    database.db.updateTable("agents").set(values).execute();

  await sign("set-up, first", "set-up");
  if (options?.versions === undefined) await sign("set-up, second", "set-up");
  await sign("deposit", "deposit", "500");
  if (venue === "jupiter") await sign("other limits", "update-limits", "600");
  await openLong(world);
  await set({ auto_trade: "off" });
  if (venue === "drift") await sign("withdrawal beside a position", "withdraw", "100");
  await sign("close positions", "close-positions");
  if (venue === "drift") {
    await passAuction(world);
    await sign("fill the closing orders", "close-positions");
    await sign("settle", "close-positions");
  }
  await sign("withdrawal", "withdraw", "50");
  await sign("revocation", "revoke");
  await sign("set-up after a revocation", "set-up");
  if (venue === "jupiter") {
    await set({ market_id: "BTC" });
    await sign("another asset", "update-limits");
  }
  const { venueQuote } = (await world.custody.summariseAccess(world.agentId)) ?? {};
  await sign("withdraw all", "withdraw", venueQuote ?? "nothing");
  for (let step = 1; step <= 4; step += 1) {
    const next = await world.custody.prepare({ agentId: world.agentId, intent: "delete" });
    if (next === null) break;
    await sign(`deletion ${step}: ${next.label}`, "delete");
  }
  return sizes;
}

/** Returns the bytes of a version 0 transaction that are left for what a wallet adds. */
function roomLeft(venue: VenueId, name: string): number {
  // A sale carries the route its router chose, with accounts that no table of ours holds
  if (venue === "jupiter" && name === "close positions") return 0;
  // A withdrawal names the owner's token account beside everything a deposit names
  return venue === "drift" && name.startsWith("withdraw") ? 252 : WALLET_ROOM;
}

describe.each([
  [
    "drift",
    {
      "set-up, first": [758, 730],
      "set-up, second": [1011, 895],
      deposit: [1146, 937],
      "withdrawal beside a position": ["too large", 980],
      "close positions": [979, 770],
      "fill the closing orders": [996, 787],
      settle: [432, 311],
      withdrawal: [1212, 972],
      revocation: [692, 664],
      "set-up after a revocation": [692, 664],
      "withdraw all": [1212, 972],
      "deletion 1: Delete the exchange account": [790, 767],
      "deletion 2: Recover the vault's SOL": [736, 708],
    },
  ],
  [
    "jupiter",
    {
      "set-up, first": [620, 620],
      "set-up, second": [994, 904],
      deposit: [877, 823],
      "other limits": [708, 708],
      "close positions": [1186, 1163],
      withdrawal: [834, 811],
      revocation: [348, 348],
      "set-up after a revocation": [676, 676],
      "another asset": [772, 713],
      "withdraw all": [834, 811],
      "deletion 1: Remove the spending limits and close the token accounts": [806, 778],
      "deletion 2: Remove the spending limits and close the token accounts": [733, 705],
      "deletion 3: Recover the vault's SOL": [598, 598],
    },
  ],
] as const)("the bytes of what an owner signs on %s", (venue, budget) => {
  it("fit without the shared lookup table, and with it leave room for a wallet's checks", async () => {
    const plain = await signEverything(venue, {});
    const short = await signEverything(venue, { hasLookupTable: true });
    const sizes = Object.keys(plain).map((name) => [name, [plain[name], short[name]]]);
    expect(Object.fromEntries(sizes)).toEqual(budget);
    for (const size of Object.values(plain)) {
      if (size !== "too large") expect(size).toBeLessThanOrEqual(TRANSACTION_SIZE_LIMIT);
    }
    for (const [name, size] of Object.entries(short)) {
      expect(size).toBeLessThanOrEqual(TRANSACTION_SIZE_LIMIT - roomLeft(venue, name));
    }
  });

  it("are issued on mainnet, where entries leave a wallet's room in version 0", async () => {
    const sizes = await signEverything(venue, { hasLookupTable: true, network: "mainnet" });
    expect(sizes).toEqual(
      Object.fromEntries(Object.entries(budget).map(([name, [, short]]) => [name, short])),
    );
  });

  it("fit version 1 with a wallet's checks, including a whole set-up and a withdrawal beside a position", async () => {
    const wide = await signEverything(venue, { versions: ["legacy", 0, 1] });
    for (const size of Object.values(wide)) expect(size).toBeLessThanOrEqual(roomOf(1, true));
    expect(wide["set-up, first"]).toBe(venue === "drift" ? 1426 : 1269);
    expect(wide["withdrawal beside a position"]).toBe(venue === "drift" ? 1314 : undefined);
  });

  it("of a whole set-up in one signature leave no room for a wallet", async () => {
    const world = await createCustodyWorld(database, { venue, hasLookupTable: true });
    await world.prepare("set-up");
    const context = findContext(world.networks, await world.agent());
    if (context === null) throw new Error("No custody is planned");
    const { account, runtime } = context;
    const remaining = await readVenueSetUp(context);
    const creation = await planSetUp(context, await readCustody(context), [], 0);
    const tables = await readTables(runtime.chain, [PRACTICE_LOOKUP_TABLE]);
    const { length } = compileTransaction({
      feePayer: account.owner,
      lifetime: await runtime.chain.latestBlockhash(),
      instructions: [
        setComputeUnitLimit(600_000),
        setComputeUnitPrice(5_000n),
        ...(creation?.instructions(tables) ?? []),
        ...remaining.flatMap((step) => wrapVaultStep(step, account, 0n).instructions(tables)),
      ],
      tables,
    });
    expect(length).toBe(venue === "drift" ? 1306 : 1239);
    expect(length).toBeGreaterThan(roomOf(0, true));
  });
});

describe("the vault's token account on a perpetuals exchange", () => {
  /** Signs the remaining set-up of the venue as a version did that left the account to the first deposit. */
  async function setUpWithoutTokens(world: CustodyWorld): Promise<void> {
    const context = findContext(world.networks, await world.agent());
    if (context === null) throw new Error("No custody is planned");
    const { account, runtime } = context;
    const [step] = await readVenueSetUp(context);
    if (step === undefined) throw new Error("Nothing is left to set up");
    const bytes = compileTransaction({
      feePayer: account.owner,
      lifetime: await runtime.chain.latestBlockhash(),
      instructions: wrapVaultStep({ ...step, before: [] }, account, 0n).instructions({}),
    });
    await world.chain.send(signTransaction(bytes, world.owner));
  }

  /** Creates multisig and vault as a version did that opened the account later. */
  async function createWithoutTokens(world: CustodyWorld): Promise<void> {
    await world.prepare("set-up");
    const context = findContext(world.networks, await world.agent());
    if (context === null) throw new Error("No custody is planned");
    const { account, runtime } = context;
    const creation = await planSetUp(context, await readCustody(context), [], 0);
    const { createKey: cosigner } = world.keys.of(world.agentId);
    const bytes = compileTransaction({
      feePayer: account.owner,
      lifetime: await runtime.chain.latestBlockhash(),
      instructions: creation?.instructions({}) ?? [],
    });
    await world.chain.send(signTransaction(signTransaction(bytes, world.owner), cosigner));
  }

  const OPENING = "Open the vault's token account";

  it("is opened separately when an older set-up continues and leaves no room for it", async () => {
    const world = await createCustodyWorld(database, { hasLookupTable: true, network: "mainnet" });
    await createWithoutTokens(world);
    const opening = await world.prepare("set-up");
    expect(opening).toMatchObject({ label: OPENING, step: 1, stepCount: 2 });
    expect(opening.costs).toMatchObject({ rentLamports: "2039280", transferLamports: "0" });
    expect(await world.approve(opening)).toMatchObject({ state: "confirmed" });
    const second = await world.prepare("set-up");
    expect(second).toMatchObject({ step: 2, stepCount: 2, costs: { rentLamports: "0" } });
    expect(await world.approve(second)).toMatchObject({ state: "confirmed" });
  });

  it("is opened separately before a first deposit that leaves no room for it", async () => {
    const world = await createCustodyWorld(database, { hasLookupTable: true, network: "mainnet" });
    await createWithoutTokens(world);
    await world.custody.follow(world.agentId);
    await setUpWithoutTokens(world);
    expect(await world.custody.prepare({ agentId: world.agentId, intent: "set-up" })).toBeNull();
    const opening = await world.prepare("deposit", "500");
    expect(opening).toMatchObject({ label: OPENING, step: 1, stepCount: 2 });
    expect(await world.approve(opening)).toMatchObject({ state: "confirmed" });
    const deposit = await world.prepare("deposit", "500");
    expect(deposit).toMatchObject({ label: "Deposit USDC", step: 1, stepCount: 1 });
    expect(await world.approve(deposit)).toMatchObject({ state: "confirmed" });
    expect(await world.quote(world.owner.address)).toBe(500n * USDC);
  });
});
