import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import {
  type Arrival,
  byCount,
  listDecidedTrades,
  modelDecisions,
} from "../../../test/decision-model.ts";
import { useFullServer } from "../../../test/full-server.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";
import { type ObjectIds, seedObjects } from "../../../test/world.ts";
import { parseAgentId } from "../../domain/ids.ts";
import { type AlertRecord, listAlertsOf } from "../store/alerts/alerts.ts";
import { listRulesOf } from "../store/alerts/rules.ts";
import { closedPnls } from "../../../test/closed-pnl-model.ts";
import { tradedSignal } from "../../domain/order/order-states.ts";
import { pendingTrade } from "../../../test/pending-trade.ts";
import { insertPending } from "../store/ledger/pending-writes.ts";
import { kindOf } from "../../venues/profiles.ts";
import { readClosedPnls } from "../store/orders/closed-profits.ts";

const database = useDatabase();
const server = useFullServer(database);
let wallet: SignedIn;
let ids: ObjectIds;

beforeAll(async () => {
  wallet = await signIn(server);
  ids = await seedObjects(server, wallet);
});

const GONE_RULE = "9".repeat(32);
const GONE_ALERT = "8".repeat(32);

/** Signals with the sides that they are recorded with, on both kinds of market. */
const TRADES = [
  ["OPEN_LONG", "long", "market"],
  ["OPEN_LONG", "buy", "market"],
  ["OPEN_SHORT", "short", "market"],
  ["OPEN_SHORT", "sell", "market"],
  ["CLOSE_LONG", "sell", "market"],
  ["CLOSE_LONG", "sell", "market"],
  ["CLOSE_SHORT", "buy", "market"],
  ["MOVE_ASSET", "sell", "transfer"],
  ["RESET_OPEN_LONG", "other", "reset"],
] as const;

const line = (ruleIds: readonly string[], alertIds: readonly string[]) =>
  fc.record({
    trade: fc.constantFrom(...TRADES),
    market: fc.constantFrom("SOL-PERP", "SOL-PERP", "BTC-PERP", "SOL"),
    status: fc.constantFrom("success", "success", "success", "failed", "pending"),
    reason: fc.constantFrom(null, "expired", "already_long"),
    base: fc.constantFrom(0n, 1n, 2n, 3n, 5n, 7n),
    quote: fc.bigInt({ min: 0n, max: 1_000_000_007n }),
    fee: fc.bigInt({ min: 0n, max: 99_999n }),
    ruleId: fc.option(fc.constantFrom(...ruleIds), { freq: 4 }),
    ownRuleId: fc.option(fc.constantFrom(...ruleIds)),
    leg: fc.constantFrom(0, 0, 1),
    hasOrder: fc.boolean(),
    alerts: fc.subarray([...alertIds]),
    firedBy: fc.option(fc.constantFrom(...alertIds)),
  });

type Line = ReturnType<typeof line> extends fc.Arbitrary<infer T> ? T : never;

/** Positions on each kind of market: how they open, close, and close as the first half of a reversal. */
const POSITIONS = [
  ["SOL-PERP", ["OPEN_LONG", "long"], ["CLOSE_LONG", "sell"], ["OPEN_SHORT", "sell"]],
  ["BTC-PERP", ["OPEN_SHORT", "short"], ["CLOSE_SHORT", "buy"], ["OPEN_LONG", "buy"]],
  ["SOL", ["OPEN_LONG", "buy"], ["CLOSE_LONG", "sell"], ["CLOSE_LONG", "sell"]],
] as const;

/** An opening and closings that mostly belong to it, in parts of any size. */
const position = (ruleIds: readonly string[], alertIds: readonly string[]) =>
  fc
    .tuple(
      fc.constantFrom(...POSITIONS),
      fc.array(line(ruleIds, alertIds), { minLength: 2, maxLength: 4 }),
      fc.boolean(),
      // One in five is closed whole for what it cost: neither a win nor a loss
      fc.nat(4).map((of) => of === 0),
    )
    .map(([[market, opens, closes, turns], lines, isTurned, isEven]) =>
      lines.map((each, at): Line => {
        const trade = at === 0 ? opens : isTurned ? turns : closes;
        const even = { base: 7n, quote: lines[0]?.quote ?? each.quote, fee: 0n } as const;
        return {
          ...each,
          market,
          status: "success",
          ...(isEven ? even : { base: at === 0 ? 7n : each.base }),
          trade: [...trade, "market"] as unknown as Line["trade"],
        };
      }),
    );

/** An alert's arrival under its name in any case, or one that belongs to no alert. */
const arrival = (alerts: readonly Pick<AlertRecord, "id" | "name">[]) =>
  fc
    .tuple(
      fc.constantFrom(...alerts, { id: GONE_ALERT, name: "x" }),
      fc.constantFrom<Arrival["outcome"]>("accepted", "duplicate", "ignored", "refused", "denied"),
      fc.constantFrom(null, "auto_trade_off", "too_old"),
      fc.constantFrom("known", "shouted", "unknown"),
    )
    .map(([{ id, name }, outcome, reason, kind]): Arrival => {
      if (kind === "known") return { alertId: id, name, outcome, reason };
      return {
        alertId: null,
        name: kind === "shouted" ? name.toUpperCase() : "y",
        outcome,
        reason,
      };
    });

async function writeArrivals(arrivals: readonly Arrival[]): Promise<void> {
  await database.pool.query(
    `insert into alert_events (received_at, id, agent_id, alert_id, outcome, alert_name, reason)
     select now(), md5('a' || n)::uuid, $2::text::uuid, "alertId"::uuid, outcome, name, reason
     from json_to_recordset($1) as row (n int, "alertId" text, outcome text, name text, reason text) order by n`,
    [JSON.stringify(arrivals.map((each, n) => ({ ...each, n }))), ids.agent],
  );
}

async function write(lines: readonly Line[]): Promise<void> {
  const { pool } = database;
  await pool.query("delete from trade_log");
  await pool.query("delete from pending_entries");
  await pool.query("delete from decisions");
  await pool.query("delete from orders");
  await pool.query("delete from alert_events");
  const rows = JSON.stringify(
    lines.map(({ trade: [signal, side, type], base, quote, fee, alerts, ...rest }, n) => ({
      ...rest,
      n,
      signal,
      side,
      type,
      base: base.toString(),
      quote: quote.toString(),
      fee: fee.toString(),
      facts: { cause: { alerts: alerts.map((alertKey) => ({ alertKey })) } },
    })),
  );
  const from = (columns: string) => `json_to_recordset($1) as row (n int, ${columns})`;
  await pool.query(
    `insert into orders (id, agent_id, signal, leg, state, planned_at)
     select md5('o' || n), $2, signal, leg, 'planned', now() from ${from('signal text, leg int, "hasOrder" boolean')}
     where "hasOrder" order by n`,
    [rows, ids.agent],
  );
  await pool.query(
    `insert into decisions (order_id, agent_id, rule_id, decided_at, facts)
     select md5('o' || n), $2, "ruleId", now(), facts from ${from('"ruleId" text, facts jsonb, "hasOrder" boolean')}
     where "hasOrder" order by n`,
    [rows, ids.agent],
  );
  await pool.query(
    `insert into alert_events (seq, received_at, id, agent_id, alert_id, outcome, alert_name)
     overriding system value
     select n, now(), md5('e' || n)::uuid, $2::text::uuid, "firedBy"::uuid, 'accepted', 'x'
     from ${from('"firedBy" text')} where "firedBy" is not null order by n`,
    [rows, ids.agent],
  );
  await pool.query(
    `insert into trade_log (id, agent_id, chat_id, event_id, order_id, rule_id, market, signal, type, side, status,
       reason, base_size, base_decimals, quote_total, quote_decimals, fee, signature, at)
     select md5('t' || n), $2, $3, case when "firedBy" is not null then md5('e' || n)::uuid end,
       case when "hasOrder" then md5('o' || n) end, "ownRuleId", market, signal, type, side, status, reason, base, 9,
       quote, 6, fee, 's' || n, now()
     from ${from(`"firedBy" text, "hasOrder" boolean, "ownRuleId" text, market text, signal text, type text, side text,
       status text, reason text, base bigint, quote bigint, fee bigint`)} order by n`,
    [rows, ids.agent, ids.chat],
  );
  await insertPending(
    database.db,
    parseAgentId(ids.agent),
    lines.flatMap(({ trade: [signal, side, type], market, status, base, quote, fee }, n) =>
      status !== "success" || type === "reset"
        ? []
        : pendingTrade(
            {
              signal: tradedSignal(signal, side, kindOf(market)),
              baseSize: base,
              quoteTotal: quote,
              fee,
            },
            { signature: `s${n}`, market },
          ),
    ),
  );
}

it("its sums by rule and alert equal those of following every trade, for any log", async () => {
  const { db } = database;
  const [alerts, rules] = [
    await listAlertsOf(db, parseAgentId(ids.agent)),
    await listRulesOf(db, parseAgentId(ids.agent)),
  ];
  expect([alerts.length > 0, rules.length > 0]).toEqual([true, true]);
  const ruleIds = [...rules.map(({ id }) => id), GONE_RULE];
  const alertIds = [...alerts.map(({ id }) => id), GONE_ALERT];
  let closings = 0;
  const history = fc
    .array(fc.oneof(position(ruleIds, alertIds), fc.array(line(ruleIds, alertIds))), {
      maxLength: 20,
    })
    .map((parts) => parts.flat());
  await fc.assert(
    fc.asyncProperty(history, fc.array(arrival(alerts), { maxLength: 12 }), async (lines, more) => {
      await write(lines);
      await writeArrivals(more);
      const trades = await listDecidedTrades(db, parseAgentId(ids.agent));
      expect(trades).toHaveLength(lines.length);
      const fired = lines.flatMap(({ firedBy }): Arrival[] =>
        firedBy === null
          ? []
          : [{ alertId: firedBy, name: "x", outcome: "accepted", reason: null }],
      );
      const arrivals = [...fired, ...more];
      const model = modelDecisions({ trades, arrivals, alerts, rules });
      const { body } = await server.send("GET", `/api/agents/${ids.agent}/decisions/sums`, {
        token: wallet.token,
      });
      const sorted = (sums: typeof model) => ({
        rules: sums.rules.map((each) => ({ ...each, reasons: each.reasons.toSorted(byCount) })),
        alerts: sums.alerts.map((each) => ({ ...each, reasons: each.reasons.toSorted(byCount) })),
      });
      expect(sorted(body)).toEqual(JSON.parse(JSON.stringify(model)));

      // Each closing alone, as the page of decisions and an entry's details read it
      const traded = trades.filter(({ status }) => status === "success");
      const expected = ["SOL-PERP", "BTC-PERP", "SOL"].flatMap((market) => {
        const ofMarket = traded.filter((trade) => trade.market === market);
        const logged = ofMarket.map(({ signal, side, baseSize, quoteTotal, fee }) => ({
          signal: tradedSignal(signal, side, kindOf(market)),
          baseSize: BigInt(baseSize),
          quoteTotal: BigInt(quoteTotal),
          fee: BigInt(fee ?? 0),
        }));
        return closedPnls(logged).flatMap((closed, at) =>
          closed === null ? [] : [[ofMarket[at]?.id, closed] as const],
        );
      });
      const every = trades.map(({ id }) => id);
      expect(await readClosedPnls(db, parseAgentId(ids.agent), every)).toEqual(new Map(expected));
      closings += expected.length;
    }),
    // The same histories each time, so that their number of closings is the same
    { numRuns: 200, seed: 2026 },
  );
  expect(closings).toBeGreaterThan(300);
});
