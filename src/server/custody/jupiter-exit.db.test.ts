import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCustodyWorld, type CustodyWorld, USDC } from "../../../test/custody-world.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { setSwapPaused } from "../../../test/pause-swap.ts";
import { instruction, writable } from "../../solana/encoding/instruction.ts";
import { createAssociatedTokenIdempotent } from "../../solana/programs/associated-token.ts";
import { transferLamports } from "../../solana/programs/system.ts";
import { tokenAccountCodec } from "../../solana/programs/token.ts";
import { signTransaction } from "../../solana/signing.ts";
import { compileTransaction } from "../../solana/transaction.ts";
import { compilePlan } from "./compile-plan.ts";
import { findContext } from "./account/custody-context.ts";
import { planClosePositions } from "./prepare-transaction.ts";
import { readCustody } from "./account/read-custody.ts";
import { migrations } from "../store/migrations/migrations.ts";
import {
  assetOf,
  JUPITER_PRACTICE_INSTANCE as instance,
  tokenAccountOf,
} from "../../venues/jupiter/instance.ts";

const asset = assetOf(instance, "SOL");
const HELD = 500_000_000n;
const SYNC_NATIVE = 17;

let world: CustodyWorld;

beforeEach(async () => {
  world = await createCustodyWorld(await createTestDatabase(), { venue: "jupiter" });
  await world.setUp();
  await approve("deposit", "100");
  await world.database.db.updateTable("agents").set({ auto_trade: "off" }).execute();
  await giveVault(HELD);
});
afterEach(async () => {
  await world.custody.stop();
  await world.database.drop();
});

const approve = async (...request: Parameters<CustodyWorld["prepare"]>) =>
  world.approve(await world.prepare(...request));

/** Sends the vault wrapped SOL from the owner's wallet. */
async function giveVault(lamports: bigint): Promise<void> {
  const { vault } = world.keys.of(world.agentId);
  const owner = world.owner.address;
  const account = tokenAccountOf(vault, asset);
  const wire = compileTransaction({
    feePayer: owner,
    lifetime: await world.chain.latestBlockhash(),
    instructions: [
      createAssociatedTokenIdempotent({ payer: owner, owner: vault, mint: asset.mint }),
      transferLamports({ from: owner, to: account }, lamports),
      instruction(asset.tokenProgram, [writable(account)], [SYNC_NATIVE]),
    ],
  });
  await world.chain.send(signTransaction(wire, world.owner));
}

async function held(wallet: string): Promise<bigint> {
  const address = tokenAccountOf(wallet as typeof world.owner.address, asset);
  const account = (await world.chain.accounts([address])).accounts[0] ?? null;
  return account === null ? 0n : tokenAccountCodec.decode(account.data).amount;
}

const log = () => world.database.db.selectFrom("trade_log").selectAll().execute();

describe("an owner who gets out of a position on Jupiter", () => {
  it("sells the asset inside the vault, with a line in the trade log", async () => {
    const { vault } = world.keys.of(world.agentId);
    const prepared = await world.prepare("close-positions");
    expect(prepared).toMatchObject({ label: "Sell SOL", step: 1, stepCount: 1 });
    const landed = await world.approve(prepared);
    expect(landed).toMatchObject({ state: "confirmed" });
    expect(await held(vault)).toBe(0n);
    expect(await held(world.owner.address)).toBe(0n);
    const gained = (await world.quote(vault)) - 100n * USDC;
    expect(gained).toBeGreaterThan(77n * USDC);
    expect(await log()).toMatchObject([
      {
        market: "SOL",
        signal: "CLOSE_LONG",
        type: "market",
        side: "sell",
        status: "success",
        reason: null,
        by_owner: true,
        base_size: HELD.toString(),
        quote_total: gained.toString(),
        signature: landed.signature,
      },
    ]);
    expect(
      await world.custody.prepare({ agentId: world.agentId, intent: "close-positions" }),
    ).toBeNull();
  });

  it("is told when nobody buys it, and transfers the asset instead, with a line in the log", async () => {
    const { vault } = world.keys.of(world.agentId);
    await setSwapPaused(world.ledger, true);
    await expect(world.prepare("close-positions")).rejects.toMatchObject({ code: "no_route" });
    const moving = await world.prepare("move-assets");
    expect(moving.label).toBe("Move SOL to your wallet");
    expect(await world.approve(moving)).toMatchObject({ state: "confirmed" });
    expect(await held(vault)).toBe(0n);
    expect(await held(world.owner.address)).toBe(HELD);
    expect(await log()).toMatchObject([
      { market: "SOL", type: "transfer", side: "other", by_owner: true, base_size: "500000000" },
    ]);
  });

  it("is offered the transfer when the route does not fit into one transaction", async () => {
    const context = findContext(world.networks, await world.agent());
    if (context === null) throw new Error("No custody is planned");
    const plan = await planClosePositions(context, await readCustody(context));
    if (plan === null) throw new Error("Nothing to sell");
    const route = instruction(asset.tokenProgram, [], new Array<number>(1_300).fill(0));
    const lifetime = await world.chain.latestBlockhash();
    await expect(
      compilePlan(context, { ...plan, instructions: () => [route] }, lifetime),
    ).rejects.toMatchObject({
      code: "transaction_too_large",
      message: expect.stringMatching(
        /You can move it to your wallet instead\. Nothing was sent\.$/,
      ),
    });
  });

  it("finds transfers from before such lines existed in the log", async () => {
    const { db } = world.database;
    await approve("move-assets");
    const known = (await log()).map(({ id: _id, at: _at, seq: _seq, ...line }) => line);
    await sql`delete from trade_log`.execute(db);
    await sql`alter table trade_log drop column by_owner cascade`.execute(db);
    await sql`update custody_transactions set intent = 'close-positions' where intent = 'move-assets'`.execute(
      db,
    );
    await migrations["0018-owner-entries"]?.up(db);
    expect(await log()).toMatchObject(known);
  });

  it("cannot transfer while the agent trades, and transfers only the requested asset", async () => {
    await expect(
      world.custody.prepare({ agentId: world.agentId, intent: "move-assets", market: "BTC" }),
    ).resolves.toBeNull();
    await world.database.db.updateTable("agents").set({ auto_trade: "on" }).execute();
    await expect(world.prepare("move-assets")).rejects.toMatchObject({ code: "withdraw_while_on" });
  });

  it("sees the vault's holdings in the panel", async () => {
    expect((await world.custody.summariseAccess(world.agentId))?.assets).toEqual([
      { symbol: "SOL", amount: "0.5" },
    ]);
    await approve("move-assets");
    expect((await world.custody.summariseAccess(world.agentId))?.assets).toEqual([]);
  });
});
