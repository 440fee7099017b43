import { address } from "@solana/kit";
import { beforeAll, describe, expect, it } from "vitest";
import { formatDecimal } from "../src/domain/amount.ts";
import { checkTransaction } from "../src/client/custody/check/check-transaction.ts";
import { vouchedTables } from "../src/client/custody/check/check-prepared.ts";
import { associatedTokenAddress } from "../src/solana/programs/associated-token.ts";
import { DRIFT_APPROVAL } from "../src/venues/drift/approval.ts";
import { DRIFT_V2_INSTANCE } from "../src/venues/drift/instance.ts";
import { createCustodyWorld, type CustodyWorld } from "./custody-world.ts";
import { useDatabase } from "./database.ts";
import { type ExchangeHoldings, readExchange } from "./exchange-takings.ts";
import { createTradingWorld } from "./trading-world.ts";
import { changeExchange } from "./practice-operator.ts";

const database = useDatabase();
let world: CustodyWorld;
/** What the exchange held before the agent's life. */
let exchange: ExchangeHoldings;

type Intent = Parameters<CustodyWorld["prepare"]>[0];

/** Prepares on the server and checks as the page does before the wallet opens. */
async function prepareAndCheck(intent: Intent, amount?: string) {
  const prepared = await world.prepare(intent, amount);
  const terms = DRIFT_APPROVAL.on("practice");
  const request = {
    intent,
    method: prepared.method,
    wallet: world.owner.address,
    multisig: address(prepared.multisig),
    vault: address(prepared.vault),
    pinnedMultisig: null,
    tables: vouchedTables(
      prepared.tables.map(({ address: table, addresses }) => ({
        address: address(table),
        addresses: addresses.map((key) => address(key)),
      })),
      terms.sharedAddresses,
    ),
    amount: amount === undefined ? null : BigInt(amount) * 1_000_000n,
    market: "SOL-PERP",
    moved: null,
  };
  const bytes = Uint8Array.from(Buffer.from(prepared.transaction, "base64"));
  const result = checkTransaction(bytes, request, terms);
  return { prepared, result };
}

describe.each([
  ["without a lookup table", {}],
  ["with the shared lookup table", { hasLookupTable: true }],
  ["for a wallet that takes version 1", { versions: ["legacy", 0, 1] as const }],
] as const)("what the server prepares %s", (_, options) => {
  beforeAll(async () => {
    world = await createCustodyWorld(database, options);
    exchange = await readExchange(world);
  });

  it("passes the page's check, from the first signature to the first deposit", async () => {
    const setUps = "versions" in options ? 1 : 2;
    for (const [intent, amount] of [
      ...Array.from({ length: setUps }, () => ["set-up"] as const),
      ["deposit", "500"] as const,
    ]) {
      const { prepared, result } = await prepareAndCheck(intent, amount);
      expect(result).toMatchObject({
        kind: "matches",
        summary: { feeLamports: BigInt(prepared.costs.networkFeeLamports) },
      });
      await world.approve(prepared);
    }
  });

  it("withdraws only to the owner's wallet", async () => {
    await database.db.updateTable("agents").set({ auto_trade: "off" }).execute();
    const { prepared, result } = await prepareAndCheck("withdraw", "40");
    const wallet = associatedTokenAddress(world.owner.address, DRIFT_V2_INSTANCE.quote.mint);
    expect(result).toMatchObject({
      kind: "matches",
      summary: {
        effects: [
          { kind: "venue-withdrawal", amount: 40_000_000n },
          { kind: "tokens", to: wallet, amount: 40_000_000n },
        ],
      },
    });
    await world.approve(prepared);
    expect(await world.quote(world.owner.address)).toBe(540_000_000n);
  });

  it("removes the trading key, and returns everything when the agent is deleted", async () => {
    // The 40 left something behind, so the exchange rounded what stays against the balance, by one unit
    await expect(world.prepare("withdraw", "460")).rejects.toMatchObject({
      code: "withdrawable_exceeded",
      message: expect.stringContaining("Maximum withdrawable amount is 459.999999 USDC"),
    });
    const shown = (await world.custody.summariseAccess(world.agentId))?.venueQuote;
    expect(shown).toBe("459.999999");
    await world.approve(await world.prepare("withdraw", shown ?? undefined));
    expect(await world.quote(world.owner.address)).toBe(999_999_999n);
    const { pool, vault } = await readExchange(world);
    expect(vault).toBe(exchange.vault + 1n);
    expect(pool).toBe(exchange.pool);
    const revoking = await prepareAndCheck("revoke");
    expect(revoking.result).toMatchObject({
      kind: "matches",
      summary: { effects: [{ kind: "trading-key", tradingKey: null }] },
    });
    await world.approve(revoking.prepared);

    const deleting = await prepareAndCheck("delete");
    expect(deleting.result).toMatchObject({
      kind: "matches",
      summary: { effects: [{ kind: "venue-deletion" }] },
    });
    await world.approve(deleting.prepared);
    const recovering = await prepareAndCheck("delete");
    expect(recovering.result).toMatchObject({
      kind: "matches",
      summary: {
        effects: [
          { kind: "close-token-account", to: recovering.prepared.vault },
          { kind: "lamports", to: world.owner.address },
        ],
      },
    });
    await world.approve(recovering.prepared);
  });
});

describe.each([0, 10])(
  "what the server prepares with a position open, auctions of %i slots",
  (slots) => {
    it("closes the position by the owner, settles and withdraws everything", async () => {
      const trading = await createTradingWorld();
      world = trading;
      await trading.fire("long");
      await trading.run();
      await trading.run();
      await changeExchange(trading.chain, { minPerpAuctionDuration: slots });
      await trading.database.db.updateTable("agents").set({ auto_trade: "off" }).execute();
      const [{ baseSize } = { baseSize: 0n }] = (await trading.account()).positions;
      expect(baseSize).toBeGreaterThan(0n);
      await expect(world.prepare("withdraw", "1")).rejects.toMatchObject({
        code: "transaction_too_large",
        message: expect.stringContaining("Close open positions first."),
      });

      const closing = await prepareAndCheck("close-positions");
      expect(closing.prepared).toMatchObject({ step: 1, stepCount: slots > 0 ? 3 : 2 });
      expect(closing.result).toMatchObject({
        kind: "matches",
        summary: { effects: [{ kind: "venue-close" }] },
      });
      await world.approve(closing.prepared);
      if (slots > 0) {
        world.clock.advance((slots + 1) * 400);
        const filling = await prepareAndCheck("close-positions");
        expect(filling.result).toMatchObject({
          kind: "matches",
          summary: { effects: [{ kind: "venue-fill" }] },
        });
        await world.approve(filling.prepared);
      }
      expect((await trading.account()).positions).toEqual([]);

      const settling = await prepareAndCheck("close-positions");
      expect(settling.result).toMatchObject({
        kind: "matches",
        summary: { effects: [{ kind: "venue-settle" }] },
      });
      await world.approve(settling.prepared);
      expect(
        await world.custody.prepare({ agentId: world.agentId, intent: "close-positions" }),
      ).toBeNull();
      const all = formatDecimal((await trading.account()).withdrawable, 6);
      await world.approve(await world.prepare("withdraw", all));
      expect((await trading.account()).portfolioValue).toBe(0n);
      await trading.database.drop();
    });
  },
);
