import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type * as z from "zod/mini";
import { useTradingWorld } from "../../../test/trading-world.ts";
import { newTestId } from "../../../test/world.ts";
import { listDecisions, sumDecisions } from "../../contract/decisions.ts";
import { formatDecimal } from "../../domain/amount.ts";
import { decodeTransaction } from "../../solana/decode-transaction.ts";
import { driftArguments } from "../../venues/drift/instruction-arguments.ts";
import { createAlertReceiver } from "../trading/intake/receive-alerts.ts";
import { decisionHandlers } from "./decisions.ts";
import { tradeLogHandlers } from "./trade-log.ts";

type Decision = z.infer<typeof listDecisions.response>["decisions"][number];
type Query = z.input<typeof listDecisions.query>;

/** Figures RSI compared when it fired. */
const RSI = {
  text: "RSI 14 crosses above 30",
  left: 31.2,
  right: 30,
  leftBefore: 29.7,
  rightBefore: 30,
};

const world = useTradingWorld();
let fired = 0;

/** Adds a rule that opens a long once `dip` came twice and `volume` once. */
async function addDipRule(): Promise<string> {
  const { db } = world.database;
  const ruleId = newTestId();
  await db
    .insertInto("rules")
    .values({ id: ruleId, agent_id: world.agentId, action: "OPEN_LONG" })
    .execute();
  for (const [name, required] of [
    ["dip", 2],
    ["volume", 1],
  ] as const) {
    const id = newTestId();
    await db
      .insertInto("alerts")
      .values({ id, agent_id: world.agentId, name, name_key: name })
      .execute();
    await db
      .insertInto("rule_conditions")
      .values({ rule_id: ruleId, alert_id: id, required_count: required })
      .execute();
  }
  return ruleId;
}

/** An alert that fired so many seconds ago, arriving now: from outside, or of a condition of the agent itself. */
async function fire(
  alert: string,
  ageSeconds = 0,
  origin: "webhook" | "condition" = "webhook",
): Promise<void> {
  const { database, agentId, clock, problems } = world;
  const { id: alertId, changedAt } = await database.db
    .selectFrom("alerts")
    .innerJoin("agents", "agents.id", "alerts.agent_id")
    .select(["alerts.id", "agents.updated_at as changedAt"])
    .where("alerts.name", "=", alert)
    .executeTakeFirstOrThrow();
  const firing = {
    firedAtMs: clock.now() - ageSeconds * 1_000,
    dedupKey: createHash("sha256").update(`${alert} ${fired++}`).digest("hex"),
  };
  const receiver = createAlertReceiver({
    database,
    newId: newTestId,
    onStored: () => {},
    onError: (error) => problems.push(error),
  });
  await receiver.receive({
    agentId,
    tokenVersion: 1,
    alertName: alert,
    receivedAtMs: clock.now(),
    content:
      origin === "webhook"
        ? { ...firing, kind: "alert", alertNameKey: alert, bodyHash: "" }
        : {
            ...firing,
            kind: "condition",
            alertId,
            agentChangedAtMs: changedAt.getTime(),
            fired: { price: 155, compared: [RSI] },
          },
  });
  clock.advance(1_000);
}

async function read(query: Query = {}) {
  const { listDecisions: handle } = decisionHandlers({ db: world.database.db });
  const request = { params: { agentId: world.agentId }, query } as Parameters<typeof handle>[0];
  return listDecisions.response.parse(await handle(request));
}

async function sums() {
  const { sumDecisions: handle } = decisionHandlers({ db: world.database.db });
  const request = { params: { agentId: world.agentId } } as Parameters<typeof handle>[0];
  return sumDecisions.response.parse(await handle(request));
}

const counters = (decision: Decision | undefined) =>
  decision?.alerts.map((alert) => `${alert.alertName} ${alert.count}/${alert.requiredCount}`);

const rules = (decision: Decision | undefined) =>
  decision?.rules.map(({ kind, action, counters: all }) => {
    const counts = all.map((each) => `${each.alertName} ${each.count}/${each.requiredCount}`);
    return [kind, action, ...counts.toSorted()].join(" ");
  });

const failed = (decision: Decision | undefined) =>
  decision?.checks.flatMap(({ name, hasPassed }) => (hasPassed ? [] : [name]));

const shown = (decision: Decision) =>
  [
    decision.kind,
    decision.signal ?? decision.alert?.alertName,
    decision.outcome.state,
    decision.outcome.reason,
  ]
    .filter(Boolean)
    .join(" ");

describe("the trace of a decision", () => {
  it("shows a trade from its alerts to its profit", async () => {
    const ruleId = await addDipRule();
    await fire("dip", 0, "condition");
    for (const alert of ["volume", "dip"]) await fire(alert);
    await world.run();
    world.setPrice(170_000_000n);
    await fire("close long");
    await world.run();

    const { decisions } = await read();
    expect(decisions.map(shown)).toEqual([
      "order CLOSE_LONG filled",
      "order OPEN_LONG filled",
      "alert volume accepted",
      "alert dip accepted",
    ]);
    const [closed, opened, , counted] = decisions;
    expect(counters(opened)).toEqual(["dip 1/2", "volume 1/1", "dip 2/2"]);
    expect(opened).toMatchObject({ ruleId, askedBy: "alert", alert: { alertName: "dip" } });
    expect(opened?.alerts[0]).toMatchObject({
      origin: "condition",
      price: 155,
      because: ["RSI 14 crosses above 30: 31.2, before 29.7"],
    });
    expect(counted?.alert).toMatchObject({ origin: "condition" });
    expect(rules(opened)).toEqual(["fired OPEN_LONG dip 2/2 volume 1/1"]);
    expect(rules(counted)).toEqual(["counted OPEN_LONG dip 1/2 volume 0/1"]);
    expect(opened?.account).toEqual({ free: "500", worth: "500", positions: [] });
    expect(opened?.price).toBe("155");
    expect(opened?.checks.map(({ name }) => name)).toEqual([
      "signal_age",
      "auto_trade",
      "custody",
      "powers",
      "order_possible",
      "trading_halted",
      "venue",
      "reducing",
      "failures",
      "daily_loss",
      "price_age",
      "price_certainty",
      "orders_a_minute",
      "orders_an_hour",
      "entries_of_owner",
      "fees_of_owner",
      "size",
      "free_money",
    ]);
    expect(failed(opened)).toEqual([]);

    const [order, closing] = await world.database.db
      .selectFrom("orders")
      .selectAll()
      .orderBy("seq")
      .execute();
    const bytes = new Uint8Array(order?.transaction ?? []);
    expect(opened?.sent).toMatchObject({ signature: order?.signature, bytes: bytes.length });
    const data = decodeTransaction(bytes).instructions.at(-1)?.data ?? new Uint8Array();
    const params = driftArguments.placePerpOrder.decode(data);
    expect(opened?.order).toMatchObject({
      side: "long",
      reduceOnly: false,
      sentSize: formatDecimal(params.baseAssetAmount, 9),
      worstPrice: formatDecimal(params.price, 6),
    });
    const fills = await world.database.db.selectFrom("order_fills").selectAll().execute();
    const sumOf = (orderId = "", key: "base_size" | "quote_size") =>
      fills
        .filter((fill) => fill.order_id === orderId)
        .reduce((sum, fill) => sum + BigInt(fill[key]), 0n);
    expect(opened?.outcome.total).toBe(formatDecimal(sumOf(order?.id, "quote_size"), 6));
    expect(closed?.outcome.size).toBe(formatDecimal(sumOf(closing?.id, "base_size"), 9));
    expect(closed?.account?.positions).toMatchObject([{ market: "SOL-PERP", side: "long" }]);
    const log = tradeLogHandlers({ db: world.database.db });
    const details = await log.getTradeDetails({
      query: { chatId: await chatId(), entryId: closed?.id },
    } as Parameters<typeof log.getTradeDetails>[0]);
    expect(details).toMatchObject({ pnl: closed?.outcome.pnl });
    expect(Number(closed?.outcome.pnl)).toBeGreaterThan(0);

    const { rules: perRule, alerts: perAlert } = await sums();
    const profit = closed?.outcome.pnl;
    expect(perRule.find((rule) => rule.ruleId === ruleId)).toMatchObject({
      fired: 1,
      traded: 1,
      denied: 0,
      profit,
      wins: 1,
    });
    const alert = (name: string) => perAlert.find(({ alertName }) => alertName === name);
    expect(alert("dip")).toMatchObject({ fired: 2, traded: 1, profit });
    expect(alert("volume")).toMatchObject({ fired: 1, traded: 1, profit });
    expect(alert("close long")).toMatchObject({ fired: 1, traded: 1, profit });
    expect(alert("short")).toMatchObject({ fired: 0, traded: 0 });
  });

  it("shows the failed check of a denial, and why an alert caused no order", async () => {
    await addDipRule();
    await fire("dip");
    await fire("reset");
    await fire("dip", 400);
    await fire("volume", 400, "condition");
    await fire("long");
    await fire("long");
    await fire("both");
    await world.run();
    const { decisions } = await read();
    expect(decisions.map(shown)).toEqual([
      "order OPEN_SHORT denied both_sides",
      "order OPEN_LONG denied already_long",
      "order OPEN_LONG denied already_long",
      "order OPEN_LONG filled",
      "alert volume refused bar_missed",
      "alert dip refused stale_signal",
      "reset RESET_OPEN_LONG success",
      "alert dip accepted",
    ]);
    const [both, second, , , , , reset] = decisions;
    expect(counters(both)).toEqual(["both 1/1"]);
    expect(both?.checks).toEqual([]);
    expect(failed(second)).toEqual(["order_possible"]);
    expect(second?.account?.positions).toMatchObject([{ side: "long" }]);
    expect(second?.sent).toBeUndefined();
    expect(counters(reset)).toEqual(["reset 1/1"]);
    expect(rules(reset)).toEqual([
      "fired RESET_OPEN_LONG reset 1/1",
      "reset OPEN_LONG dip 1/2 volume 0/1",
    ]);
    const { alerts } = await sums();
    const dip = alerts.find(({ alertName }) => alertName === "dip");
    expect(dip).toMatchObject({ fired: 1, reasons: [{ reason: "stale_signal", count: 1 }] });
  });

  it("shows a closing that had to wait, with each of its tries", async () => {
    await fire("long");
    await world.run();
    world.limitTo("halted");
    await fire("close long");
    await world.run();
    const waiting = (await read()).decisions[0];
    expect(waiting).toMatchObject({ outcome: { state: "planned", reason: "trading_halted" } });
    expect(failed(waiting)).toEqual(["trading_halted"]);
    world.limitTo("active");
    world.clock.advance(60_000);
    await world.run();
    const [done, ...rest] = (await read()).decisions;
    expect(done).toMatchObject({ id: waiting?.id, askedBy: "alert", outcome: { state: "filled" } });
    expect(failed(done)).toEqual([]);
    expect(counters(done)).toEqual(["close long 1/1"]);
    expect(rest).toHaveLength(1);
  });

  it("can be read page by page, and filtered by outcome, rule, alert and line", async () => {
    const ruleId = await addDipRule();
    for (let round = 0; round < 13; round += 1) {
      await fire("dip");
      await fire("reset");
    }
    await fire("long");
    await world.run();
    const first = await read();
    expect(first.decisions).toHaveLength(20);
    const second = await read({ cursor: first.next ?? "" });
    expect(second.decisions).toHaveLength(7);
    expect(second.next).toBeNull();
    const all = [...first.decisions, ...second.decisions];
    expect(new Set(all.map(({ id }) => id)).size).toBe(27);
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    );

    expect((await read({ outcome: "traded" })).decisions.map(shown)).toEqual([
      "order OPEN_LONG filled",
    ]);
    expect((await read({ outcome: "denied" })).decisions).toEqual([]);
    expect((await read({ ruleId })).decisions).toHaveLength(13);
    const alertId = all.find(({ alert }) => alert?.alertName === "long")?.alerts[0]?.eventId;
    expect(alertId).toBeDefined();
    const [trade] = all;
    const long = trade?.rules[0]?.counters[0]?.alertId ?? "";
    expect((await read({ alertId: long })).decisions).toEqual([trade]);
    expect((await read({ entryId: trade?.id ?? "" })).decisions).toEqual([trade]);
  });
});

async function chatId(): Promise<string> {
  const { chat_id } = await world.database.db
    .selectFrom("agents")
    .select("chat_id")
    .where("id", "=", world.agentId)
    .executeTakeFirstOrThrow();
  return chat_id;
}
