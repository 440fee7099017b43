import { beforeEach, expect, it } from "vitest";
import { bookDeps, finalize } from "../../../test/expect-booked.ts";
import { useTradingWorld } from "../../../test/trading-world.ts";
import { newTestId } from "../../../test/world.ts";
import { getAgentHealth } from "../../contract/agent-health.ts";
import { createCustodyGuard } from "../custody/custody-guard.ts";
import { updateAgentLedger } from "../ledger/update-agent-ledger.ts";
import { parseVenueId } from "../../domain/venue-id.ts";
import { feedKeyOf } from "../alert-sources/conditions/condition-feed.ts";
import { saveLook } from "../store/health/outside-looks.ts";
import { saveFeedTrouble } from "../store/alerts/conditions.ts";
import { createReconciler, type Reconciler } from "../reconcile/reconciler.ts";
import { showHealth } from "./agent-health.ts";

const world = useTradingWorld();
let reconciler: Reconciler;

beforeEach(async () => {
  const deps = { ...world.deps, keys: world.keys };
  reconciler = createReconciler({
    ...deps,
    guard: createCustodyGuard(deps),
    book: (agent) =>
      updateAgentLedger({ ...bookDeps(world), networks: world.deps.networks }, agent),
  });
});

const health = async () =>
  getAgentHealth.response.parse(await showHealth(world.deps, world.agentId));
const now = () => new Date(world.clock.now()).toISOString();

it("is unknown before the first reading, and complete after it", async () => {
  expect(await health()).toEqual({
    at: now(),
    isTrading: true,
    awaitsAlerts: true,
    lastAlert: null,
    candles: null,
    reconciledAt: null,
    book: { state: "unchecked" },
    venue: { id: "drift", isAnswering: null },
    key: null,
    stopMissingSince: null,
    unsettled: { orders: 0 },
    fills: null,
  });
  await world.fire("long");
  const heardAt = now();
  world.clock.advance(700);
  await world.run();
  finalize(world);
  await reconciler.run();
  const seenAt = now();
  world.clock.advance(40_000);
  expect(await health()).toEqual({
    at: now(),
    isTrading: true,
    awaitsAlerts: true,
    lastAlert: { at: heardAt, outcome: "accepted" },
    candles: null,
    reconciledAt: seenAt,
    book: { state: "right", checkedAt: seenAt },
    venue: { id: "drift", isAnswering: true },
    key: "ours",
    stopMissingSince: null,
    unsettled: { orders: 0 },
    fills: { count: 1, p50Ms: expect.any(Number), p95Ms: expect.any(Number) },
  });
  const { fills } = await health();
  expect(fills?.p50Ms).toBeGreaterThanOrEqual(700);
  expect(fills?.p95Ms).toBe(fills?.p50Ms);
});

it("says since when the venue has not answered, and drops outdated parts", async () => {
  await reconciler.run();
  const seenAt = now();
  world.clock.advance(40_000);
  world.faulty.setDown(true);
  await reconciler.run();
  const since = now();
  world.clock.advance(40_000);
  await reconciler.run();
  expect(await health()).toMatchObject({
    reconciledAt: seenAt,
    venue: { isAnswering: false, since, reason: "The node does not answer" },
    key: null,
  });
  world.faulty.setDown(false);
  await reconciler.run();
  expect(await health()).toMatchObject({ venue: { isAnswering: true }, key: "ours" });
  world.clock.advance(121_000);
  expect((await health()).venue).toEqual({ id: "drift", isAnswering: null });
});

it("shows the trading key, unsettled orders and a difference of the book", async () => {
  await world.approve(await world.prepare("revoke"));
  await reconciler.run();
  expect((await health()).key).toBe("none");
  const sentAt = new Date(world.clock.now());
  const order = (submitted_at: Date) => ({
    id: newTestId(),
    agent_id: world.agentId,
    event_id: null,
    signal: "OPEN_LONG",
    state: "unknown" as const,
    reason: null,
    intent: null,
    transaction: null,
    signature: null,
    last_valid_block_height: null,
    planned_at: sentAt,
    submitted_at,
    settled_at: null,
  });
  const { db } = world.database;
  await db
    .insertInto("orders")
    .values([order(sentAt), order(new Date(sentAt.getTime() + 5_000))])
    .execute();
  const difference = { sinceMs: sentAt.getTime(), accounts: [], isConfirmed: true };
  await db
    .updateTable("ledger_marks")
    .set({ difference: JSON.stringify({ ...difference, firstSignature: null }) })
    .execute();
  expect(await health()).toMatchObject({
    unsettled: { orders: 2, since: sentAt.toISOString() },
    book: { state: "different", since: sentAt.toISOString() },
  });
});

it("shows the state of the candles for its conditions", async () => {
  const { db } = world.database;
  const candles = async () => (await health()).candles;
  await db
    .updateTable("alerts")
    .set({ condition: JSON.stringify({ kind: "time-of-day", atUtc: "14:00" }) })
    .execute();
  await db.updateTable("agents").set({ auto_trade: "off" }).execute();
  expect(await health()).toMatchObject({ awaitsAlerts: false, candles: { state: "resting" } });
  await db.updateTable("agents").set({ auto_trade: "on", interval: "1h" }).execute();
  expect(await candles()).toEqual({ state: "waiting" });
  const hour = Math.floor(world.clock.now() / 3_600_000) * 3_600_000;
  await db
    .insertInto("condition_progress")
    .values({ agent_id: world.agentId, evaluated_to: new Date(hour) })
    .execute();
  expect(await candles()).toEqual({ state: "on_time" });
  world.clock.advance(hour + 3_600_000 + 59_000 - world.clock.now());
  expect(await candles()).toEqual({ state: "on_time" });
  world.clock.advance(1_000);
  const since = new Date(hour + 3_600_000).toISOString();
  expect(await candles()).toEqual({ state: "late", since });
  const trouble = { text: "The exchange does not answer.", sinceMs: hour };
  const agent = await db.selectFrom("agents").selectAll().executeTakeFirstOrThrow();
  const market = { ...agent, venue: parseVenueId(agent.venue), marketId: agent.market_id };
  await saveFeedTrouble(db, feedKeyOf(market) ?? "", trouble);
  expect((await health()).candles).toEqual({
    state: "missing",
    reason: trouble.text,
    since: new Date(hour).toISOString(),
  });
});

it("says what outside keeps the agent's venue from being traded on, and of no other network or venue", async () => {
  const { db } = world.deps;
  const network = "practice";
  const sinceMs = world.clock.now();
  const fails = { state: "fails", isNeeded: true, sinceMs } as const;
  const others = [
    { ...fails, name: "Disk", text: "full" },
    { ...fails, name: "another network", text: "no", network: "mainnet" },
    { ...fails, name: "another venue", text: "no", network, venue: "jupiter" },
    { ...fails, state: "works", name: "all is well", text: "no", network },
  ] as const;
  await saveLook(db, others);
  expect((await health()).venue).toEqual({ id: "drift", isAnswering: null });
  const reason = "0 of 5 sources of prices work: nothing fills, exits wait";
  await saveLook(db, [...others, { ...fails, name: "prices", text: reason, network }]);
  const since = new Date(sinceMs).toISOString();
  expect((await health()).venue).toEqual({ id: "drift", isAnswering: null, since, reason });
  await reconciler.run();
  expect((await health()).venue).toEqual({ id: "drift", isAnswering: true, since, reason });
  await saveLook(db, others);
  expect((await health()).venue).toEqual({ id: "drift", isAnswering: true });
});
