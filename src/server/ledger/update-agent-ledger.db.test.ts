import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bookDeps, expectBooked, finalize } from "../../../test/expect-booked.ts";
import { USDC } from "../../../test/custody-world.ts";
import { putPracticeAccount } from "../../../test/chain-bench.ts";
import { touchOften } from "../../../test/touch-often.ts";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import type { Chain } from "../../solana/chain.ts";
import { wrapChain } from "../../../test/wrap-chain.ts";
import { DRIFT_V2_INSTANCE } from "../../venues/drift/instance.ts";
import { userLayout } from "../../venues/drift/layout-user.ts";
import { ORDER_ACTION } from "../../venues/drift/order-action-record.ts";
import { deriveUser } from "../../venues/drift/pdas.ts";
import type { Networks } from "../networks.ts";
import { listEntries } from "../store/ledger/ledger.ts";
import { readLedgerHealth, readLedgerMark } from "../store/ledger/ledger-marks.ts";
import { listEquityPoints, thinEquityPoints } from "../store/ledger/equity-points.ts";
import { listUnbooked } from "../store/ledger/pending-entries.ts";
import { updateAgentLedger } from "./update-agent-ledger.ts";
import { closeLedger } from "./close-ledger.ts";
import { orderActionLog } from "../../../test/order-action-log.ts";

/** What a stranger's trade logs in which a referrer of his gets so many units. */
function rewarded(units: number): readonly string[] {
  const fill = orderActionLog({
    ts: 1n,
    action: ORDER_ACTION.fill,
    actionExplanation: 0,
    marketIndex: 1,
    marketType: 1,
    filler: null,
    fillerReward: null,
    fillRecordId: 1n,
    baseAssetAmountFilled: 1_000_000n,
    quoteAssetAmountFilled: 90_000_000n,
    takerFee: 5_400n,
    makerFee: null,
    referrerReward: units,
    quoteAssetAmountSurplus: null,
    spotFulfillmentMethodFee: null,
    taker: DRIFT_V2_INSTANCE.programId,
    takerOrderId: 1,
    takerOrderDirection: 0,
    takerOrderBaseAssetAmount: 1_000_000n,
    takerOrderCumulativeBaseAssetAmountFilled: 1_000_000n,
    takerOrderCumulativeQuoteAssetAmountFilled: 90_000_000n,
    maker: null,
    makerOrderId: null,
    makerOrderDirection: null,
    makerOrderBaseAssetAmount: null,
    makerOrderCumulativeBaseAssetAmountFilled: null,
    makerOrderCumulativeQuoteAssetAmountFilled: null,
    oraclePrice: 90_000_000_000n,
  });
  const { programId } = DRIFT_V2_INSTANCE;
  return [`Program ${programId} invoke [1]`, fill, `Program ${programId} success`];
}

const EVER = { fromMs: 0, toMs: 8.64e15 };

let world: TradingWorld;

const entries = async () =>
  (await listEntries(world.database.db, { agentId: world.agentId }, { range: EVER, limit: 1_000 }))
    .toReversed()
    .filter(({ kind }) => kind !== "network_fee");

const settle = async () => {
  for (let turns = 0; turns < 3; turns += 1) await world.run();
};

describe("an agent's book on the perpetuals venue", () => {
  beforeEach(async () => {
    world = await createTradingWorld("drift");
  });
  afterEach(() => world.database.drop());

  it("contains set-up and deposit from the chain, and equals it", async () => {
    await expectBooked(world);
    const rows = (await entries()).map(({ kind, place, asset }) => [kind, place, asset]);
    expect(rows).toContainEqual(["deposit", "exchange", "USDC"]);
    expect(rows).toContainEqual(["rent_paid", "vault_sol", "SOL"]);
    const deposited = (await entries()).find(
      ({ place, kind }) => place === "exchange" && kind === "deposit",
    );
    expect(deposited?.amount).toBe(500n * USDC);
  });

  it("contains a long from opening to settlement, with its profit", async () => {
    await world.fire("long");
    await settle();
    await expectBooked(world);
    world.setPrice(160_000_000n);
    world.clock.advance(2 * 3_600_000);
    await world.fire("close long");
    await settle();
    await expectBooked(world);
    const kinds = (await entries()).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(["trade", "fee", "funding", "settlement"]));
    const trades = (await entries()).filter(({ kind }) => kind === "trade");
    expect(trades.map(({ realised }) => realised === null)).toEqual([true, false]);
    const [opened, closed] = trades;
    expect(closed?.realised).toBe((opened?.amount ?? 0n) + (closed?.amount ?? 0n));
    expect(closed?.held).toEqual({ base: 0n, cost: 0n, fees: 0n });
  });

  it("shows a trade as pending before it is final", async () => {
    await expectBooked(world);
    const before = (await entries()).length;
    await world.fire("long");
    await settle();
    await updateAgentLedger(bookDeps(world), await world.agent());
    expect((await entries()).length).toBe(before);
    const mark = await readLedgerMark(world.database.db, world.agentId);
    const unbooked = await listUnbooked(world.database.db, world);
    // The trade once, whoever wrote it down: its order and the chain's reader
    expect(unbooked.filter(({ kind }) => kind === "trade")).toHaveLength(1);
    expect(unbooked.map(({ kind }) => kind)).toContain("network_fee");
    expect(mark?.waiting).toBeGreaterThan(1);
    expect(mark?.difference).toBeNull();
    await expectBooked(world);
  });

  it("is the same after any number of reads by any number of servers", async () => {
    await world.fire("long");
    await settle();
    finalize(world);
    const agent = await world.agent();
    await Promise.all([1, 2, 3].map(() => updateAgentLedger(bookDeps(world), agent)));
    await expectBooked(world);
    const once = await entries();
    for (let more = 0; more < 2; more += 1) {
      world.clock.advance(11 * 60_000);
      await updateAgentLedger(bookDeps(world), agent);
    }
    expect(await entries()).toEqual(once);
  });
});

describe("a book that does not add up", () => {
  let warnings: unknown[];
  /** A node that does not list or answer one transaction. */
  let hidden: string | null;

  beforeEach(async () => {
    world = await createTradingWorld("drift", { auctionSlots: 0 });
    warnings = [];
    hidden = null;
  });
  afterEach(() => world.database.drop());

  const notices = async (): Promise<readonly string[]> =>
    (await world.custody.summariseAccess(world.agentId))?.notices.map(({ text }) => text) ?? [];

  /** Reads the book by a node that leaves something out. */
  const readBy = async () => {
    const practice = world.networks.get("practice");
    if (practice === undefined) throw new Error("No practice network");
    const { chain } = practice;
    const forgetful: Chain = {
      ...chain,
      signaturesFor: async (...input) =>
        (await chain.signaturesFor(...input)).filter((signature) => signature !== hidden),
      withOneNode: (work) => work(forgetful),
    };
    const networks: Networks = new Map([["practice", { ...practice, chain: forgetful }]]);
    await updateAgentLedger({ ...bookDeps(world, warnings), networks }, await world.agent());
  };

  it("is checked twice, then reported to the owner with its first transaction", async () => {
    await expectBooked(world);
    await world.fire("long");
    await settle();
    const [missing = ""] = (await world.landed()).slice(-1);
    hidden = missing;
    await world.fire("close long");
    await settle();
    const first = (await world.landed()).at(-1);
    finalize(world);
    await readBy();
    expect(await notices()).toEqual([]);
    await readBy();
    const [said = ""] = await notices();
    expect(said).toContain("The book of this agent does not add up");
    expect(said).toContain(`from transaction ${first} on`);
    const mark = await readLedgerMark(world.database.db, world.agentId);
    expect(mark?.difference).toMatchObject({ isConfirmed: true, firstSignature: first });
    expect(await readLedgerHealth(world.database.db)).toMatchObject([{ different: 1 }]);

    hidden = null;
    world.clock.advance(11 * 60_000);
    await readBy();
    expect(warnings).toContainEqual({ agentId: world.agentId, signatures: [missing] });
    expect(await notices()).toEqual([]);
    expect(await readLedgerHealth(world.database.db)).toMatchObject([{ different: 0 }]);
    await expectBooked(world);
    const trades = (await entries()).filter(({ kind }) => kind === "trade");
    const quote = trades.reduce((sum, { amount }) => sum + amount, 0n);
    expect(trades.reduce((sum, { realised }) => sum + (realised ?? 0n), 0n)).toBe(quote);
  });

  it("books money sent by somebody else as an external flow", async () => {
    await expectBooked(world);
    const { vault } = world.keys.of(world.agentId);
    await world.chain.fund(vault, { lamports: 7n, quoteUnits: 11n });
    await expectBooked(world);
    const external = (await entries()).filter(({ kind }) => kind === "external");
    expect(external.map(({ place, amount }) => [place, amount])).toEqual([
      ["vault", 11n],
      ["vault_sol", 7n],
    ]);
  });

  it.each([
    ["is credited with what a stranger's trades gave the account as his referrer", 814n, 0],
    ["is told of a credit that no such trade gave", 815n, 1],
  ])("%s", async (_what, credited, told) => {
    await expectBooked(world);
    const practice = world.networks.get("practice");
    if (practice === undefined) throw new Error("No practice network");
    const user = deriveUser(DRIFT_V2_INSTANCE, world.keys.of(world.agentId).vault, 0);
    const trades = await touchOften(world.chain, user, 2);
    const account = (await world.ledger.view()).account(user);
    if (account === undefined) throw new Error("The agent has no account");
    const { perpPositions, ...rest } = userLayout.decode(account.data);
    const slots = perpPositions.map((slot, at) =>
      at === 0 ? { ...slot, marketIndex: 1, quoteAssetAmount: credited } : slot,
    );
    const data = userLayout.encode({ ...rest, perpPositions: slots });
    await putPracticeAccount(world.ledger, user, { ...account, data });
    const chain = wrapChain(practice.chain, (inner) => ({
      async transaction(signature) {
        const outcome = await inner.transaction(signature);
        if (outcome === null || !trades.includes(signature)) return outcome;
        return { ...outcome, logs: [...outcome.logs, ...rewarded(407)] };
      },
    }));
    const networks: Networks = new Map([["practice", { ...practice, chain }]]);
    const read = async () =>
      updateAgentLedger({ ...bookDeps(world, warnings), networks }, await world.agent());
    finalize(world);
    for (let times = 0; times < 3; times += 1) await read();
    expect(await notices()).toHaveLength(told);
    const external = (await entries()).filter(({ kind }) => kind === "external");
    expect(external.map(({ place, market, amount }) => [place, market, amount])).toEqual(
      told === 0 ? [["position", "BTC-PERP", credited]] : [],
    );
  });
});

describe("a book whose beginning or end is read too late", () => {
  beforeEach(async () => {
    world = await createTradingWorld("drift");
  });
  afterEach(() => world.database.drop());

  it("begins with the present balance where the node no longer has the first transactions", async () => {
    finalize(world);
    const practice = world.networks.get("practice");
    if (practice === undefined) throw new Error("No practice network");
    const { chain } = practice;
    const young: Chain = {
      ...chain,
      historyStart: async () => 1_000n,
      signaturesFor: async () => [],
      withOneNode: (work) => work(young),
    };
    const networks: Networks = new Map([["practice", { ...practice, chain: young }]]);
    await updateAgentLedger({ ...bookDeps(world), networks }, await world.agent());
    const opened = await entries();
    expect(opened.map(({ kind }) => kind)).toEqual(["opening", "opening"]);
    expect(opened.find(({ place }) => place === "exchange")?.amount).toBe(500n * USDC);
    await world.fire("long");
    await settle();
    await expectBooked(world);
  });

  it("begins later if a trade was pending when the missing transactions were noticed", async () => {
    await world.fire("long");
    await settle();
    finalize(world);
    const practice = world.networks.get("practice");
    if (practice === undefined) throw new Error("No practice network");
    const { chain } = practice;
    const start = (await chain.progress("finalized")).slot;
    const young: Chain = {
      ...chain,
      historyStart: async () => start,
      signaturesFor: (address, limit, options) =>
        chain.signaturesFor(address, limit, {
          ...options,
          sinceSlot: (options?.sinceSlot ?? 0n) > start ? (options?.sinceSlot ?? 0n) : start,
        }),
      withOneNode: (work) => work(young),
    };
    const networks: Networks = new Map([["practice", { ...practice, chain: young }]]);
    const readOn = async () =>
      updateAgentLedger({ ...bookDeps(world), networks }, await world.agent());
    world.clock.advance(20_000);
    await world.fire("close long");
    await settle();
    await readOn();
    expect((await entries()).filter(({ kind }) => kind === "opening")).toEqual([]);
    finalize(world);
    await readOn();
    const booked = await entries();
    const long = booked.find(({ kind, asset }) => kind === "opening" && asset === "SOL-PERP");
    expect(long?.amount).toBeGreaterThan(0n);
    // Nobody knows what it cost
    expect(booked.filter(({ kind }) => kind === "trade")).toMatchObject([{ realised: null }]);
    expect(long?.held).toEqual({ base: 0n, cost: 0n, fees: 0n });
    await expectBooked(world);
  });

  it("is read to its end before the agent's records are deleted, final or not", async () => {
    await world.fire("long");
    await settle();
    await closeLedger(bookDeps(world), world.agentId);
    expect((await entries()).map(({ kind }) => kind)).toContain("trade");
    await expectBooked(world);
  });
});

describe("equity points", () => {
  beforeEach(async () => {
    world = await createTradingWorld("drift");
  });
  afterEach(() => world.database.drop());

  const points = () => listEquityPoints(world.database.db, { agentId: world.agentId }, EVER, 100);

  it("are recorded at flows and fills and once an hour, with their price and flow", async () => {
    await expectBooked(world);
    expect(await points()).toMatchObject([
      { cause: "flow", value: 500n * USDC, netFlow: 500n * USDC, market: "SOL-PERP" },
    ]);
    await world.fire("long");
    await settle();
    await expectBooked(world);
    world.setPrice(160_000_000n);
    world.clock.advance(3_600_000);
    await updateAgentLedger(bookDeps(world), await world.agent());
    world.clock.advance(60_000);
    await updateAgentLedger(bookDeps(world), await world.agent());
    const made = await points();
    expect(made.map(({ cause }) => cause)).toEqual(["flow", "fill", "hour"]);
    expect(made.map(({ netFlow }) => netFlow)).toEqual(made.map(() => 500n * USDC));
    const [, filled, hour] = made;
    expect([filled?.price, hour?.price]).toEqual([155_000_000n, 160_000_000n]);
    const held = (await entries()).find(({ kind }) => kind === "trade")?.base?.amount ?? 0n;
    // Five dollars more for each whole SOL held, less the hour's funding
    const grown = (hour?.value ?? 0n) - (filled?.value ?? 0n);
    const rise = (held * 5n * USDC) / 1_000_000_000n;
    expect(rise - grown).toBeGreaterThan(0n);
    expect(rise - grown).toBeLessThan(rise / 1_000n);
    expect(hour?.value).toBe((await world.account()).portfolioValue);
  });

  it("are valued at the price of their own second where the past is known, however late the book is read", async () => {
    await world.fire("long");
    await settle();
    const traded = world.clock.now();
    world.setPrice(190_000_000n);
    finalize(world);
    const practice = world.networks.get("practice");
    if (practice === undefined) throw new Error("No practice network");
    const priceAt = (_: string, atMs: number) => (atMs <= traded ? 155_000_000n : 190_000_000n);
    const known: Networks = new Map([["practice", { ...practice, priceAt }]]);
    await updateAgentLedger({ ...bookDeps(world), networks: known }, await world.agent());
    const [, filled] = await points();
    expect(filled).toMatchObject({ cause: "fill", price: 155_000_000n });
    // The entry cost its fee and what it moved the price, and no more
    expect(Number(filled?.value ?? 0n) / 500e6).toBeGreaterThan(0.99);
    expect(Number(filled?.value ?? 0n) / 500e6).toBeLessThan(1);
  });

  it("have the funding that a position owes before an order pays it", async () => {
    await world.fire("long");
    await settle();
    await expectBooked(world);
    for (let hour = 0; hour < 3; hour += 1) {
      world.clock.advance(3_600_000);
      await world.run();
    }
    await updateAgentLedger(bookDeps(world), await world.agent());
    expect((await entries()).filter(({ kind }) => kind === "funding")).toEqual([]);
    const [filled, hour] = (await points()).slice(-2);
    expect(filled?.price).toBe(hour?.price);
    expect(hour?.value).not.toBe(filled?.value);
    expect(hour?.value).toBe((await world.account()).portfolioValue);
  });

  it("are not recorded without the price of the holding, and are thinned to one a day after ninety days", async () => {
    await world.fire("long");
    await settle();
    finalize(world);
    const practice = world.networks.get("practice");
    const venue = practice?.venues.get("drift");
    if (practice === undefined || venue === undefined) throw new Error("No practice network");
    const blind = { ...venue, price: () => Promise.reject(new Error("No price")) };
    const networks: Networks = new Map([
      ["practice", { ...practice, venues: new Map([["drift", blind]]) }],
    ]);
    await updateAgentLedger({ ...bookDeps(world), networks }, await world.agent());
    // The deposit needs no price
    expect(await points()).toMatchObject([{ cause: "flow", value: 500n * USDC, price: null }]);
    for (let hour = 0; hour < 30; hour += 1) {
      world.clock.advance(3_600_000);
      await updateAgentLedger(bookDeps(world), await world.agent());
    }
    const made = await points();
    expect(made.length).toBe(31);
    const days = new Set(made.map(({ atMs }) => Math.floor(atMs / 86_400_000)));
    await thinEquityPoints(world.database.db, world.clock.now() + 1, 1_000);
    const left = await points();
    // The first one says what came in before there was anything to grow
    expect(left[0]).toEqual(made[0]);
    expect(left.length).toBe(days.size + 1);
    expect(left.at(-1)).toEqual(made.at(-1));
  });

  it("are stored with what they are of, or neither is", async () => {
    const { pool } = world.database;
    await pool.query(`
      create function dies() returns trigger language plpgsql as $$ begin raise 'killed'; end $$;
      create trigger dies before insert on equity_points execute function dies()`);
    finalize(world);
    const read = async () => updateAgentLedger(bookDeps(world), await world.agent());
    await expect(read()).rejects.toThrow("killed");
    expect(await entries()).toEqual([]);
    await pool.query("drop trigger dies on equity_points");
    await read();
    expect(await points()).toMatchObject([{ cause: "flow", value: 500n * USDC }]);
  });

  it("come as soon as the book is right, for an agent that is off and flat too", async () => {
    const practice = world.networks.get("practice");
    const venue = practice?.venues.get("drift");
    if (practice === undefined || venue === undefined) throw new Error("No practice network");
    await world.fire("long");
    await settle();
    const before = await venue.readLedger(world.venueAccount);
    await world.fire("close long");
    await settle();
    await world.database.pool.query("update agents set auto_trade = 'off'");
    finalize(world);
    // A node that lists the trade and answers with the accounts from before it
    const late = { ...venue, readLedger: async () => before };
    const networks: Networks = new Map([
      ["practice", { ...practice, venues: new Map([["drift", late]]) }],
    ]);
    await updateAgentLedger({ ...bookDeps(world), networks }, await world.agent());
    expect(await points()).toEqual([]);
    await updateAgentLedger(bookDeps(world), await world.agent());
    expect((await points()).map(({ cause }) => cause)).toEqual(["flow", "fill", "fill"]);
  });

  it("need no sum over the book while none is due, and never for an agent that is off and flat", async () => {
    await expectBooked(world);
    let sums = 0;
    const db = world.database.db.withPlugin({
      transformQuery: ({ node }) => {
        if (JSON.stringify(node).includes("max(decimals)")) sums += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const look = async () => {
      sums = 0;
      await updateAgentLedger({ ...bookDeps(world), db }, await world.agent());
      return sums;
    };
    expect(await look()).toBe(0);
    world.clock.advance(3_600_000);
    // Searched again after a while and held against the chain, then valued
    expect(await look()).toBeGreaterThan(0);
    world.clock.advance(60_000);
    expect(await look()).toBe(0);
    await world.database.pool.query("update agents set auto_trade = 'off'");
    world.clock.advance(3_600_000);
    await look();
    world.clock.advance(60_000);
    expect(await look()).toBe(0);
    expect((await points()).length).toBe(2);
  });
});

describe("an agent's book on the swap venue", () => {
  beforeEach(async () => {
    world = await createTradingWorld("jupiter");
  });
  afterEach(() => world.database.drop());

  it("contains purchases and sales from the vault's balances, and equals them", async () => {
    await expectBooked(world);
    await world.fire("long");
    await settle();
    await updateAgentLedger(bookDeps(world), await world.agent());
    const unbooked = await listUnbooked(world.database.db, world);
    const bought = unbooked.find(({ kind }) => kind === "trade");
    expect(bought?.base).toMatchObject({ marketId: "SOL", decimals: 9 });
    await expectBooked(world);
    world.setPrice(170_000_000n);
    await world.fire("close long");
    await settle();
    await expectBooked(world);
    const trades = (await entries()).filter(({ kind }) => kind === "trade");
    expect(trades).toHaveLength(2);
    expect(trades[1]?.realised).toBeGreaterThan(0n);
  });
});
