import type { Pool } from "pg";
import { createAlertRound } from "../alert-round.ts";
import { withDatabase } from "../bench-database.ts";
import { fixed, requireOnly } from "../figures.ts";
import { createFundedAgents } from "../funded-agents.ts";
import { pace, percentile } from "../http-load.ts";
import type { MeasureRow } from "./row.ts";
import { pause, SHARED, startBare, startProduct } from "./servers.ts";

/** Each agent gets an alert every two seconds: entry and exit in turn. */
const AGENTS_PER_RATE = 2;
const BARE_SECONDS = 5;
/** What is sent first after a start pays for connections, plans of statements and code that was never run. */
const COLD_SECONDS = 1;
const AGE_EVERY_MS = 500;
/** Longest wait for the orders that are left after the last alert. */
const PATIENCE_SECONDS = 60;

/**
 * Dates settled orders back by two hours, so that the caps of orders a minute and an hour, which would deny nearly all of
 * them, never apply. Returns what stops it.
 */
function liftCaps(pool: Pool): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    last = pool.query(
      `update orders set submitted_at = submitted_at - interval '2 hours'
       where settled_at is not null and submitted_at > now() - interval '1 hour'`,
    );
  }, AGE_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await last;
  };
}

async function waitUntilSettled(pool: Pool): Promise<void> {
  for (let waited = 0; waited < PATIENCE_SECONDS; waited += 1) {
    const { rows } = await pool.query<{ open: number }>(
      "select count(*)::int as open from orders where settled_at is null",
    );
    if (rows[0]?.open === 0) return;
    await pause(1);
  }
}

/** From an alert's arrival until its order was sent, at a sustained rate, beside a bare durable insert at that rate. */
export const send =
  (perSecond: number): MeasureRow =>
  async ({ seconds }, add) => {
    await withDatabase(async (url, pool) => {
      const product = await startProduct(url);
      const agents = await createFundedAgents(product.ports[0] ?? 0, perSecond * AGENTS_PER_RATE);
      const bare = await startBare(url);
      const round = createAlertRound(agents);
      const plain = await pace(bare.ports, perSecond, BARE_SECONDS * 1_000, () => ({
        path: "/",
        body: "{}",
      }));
      await bare.stop();
      const stop = liftCaps(pool);
      const startedAt = performance.now();
      const result = await pace(product.ports, perSecond, seconds * 1_000, round.next);
      requireOnly(202, result, "The product");
      await waitUntilSettled(pool);
      const tookSeconds = (performance.now() - startedAt) / 1_000;
      await stop();
      const { rows } = await pool.query<{
        ms: number | null;
        second: number;
        state: string;
        reason: string | null;
      }>(
        `select o.state, o.reason,
           extract(epoch from e.received_at - min(e.received_at) over ())::float8 as second, extract(epoch from o.submitted_at - e.received_at
           + case when o.submitted_at < o.planned_at - interval '1 hour' then interval '2 hours' else '0' end
         )::float8 * 1000 as ms
         from orders o join alert_events e on e.id = o.event_id`,
      );
      const waits = rows.flatMap(({ ms }) => ms ?? []).sort((a, b) => a - b);
      const warm = rows
        .flatMap(({ ms, second }) => (ms === null || second < COLD_SECONDS ? [] : [ms]))
        .sort((a, b) => a - b);
      const filled = rows.filter(({ state }) => state === "filled").length;
      const others = new Set(rows.flatMap(({ reason }) => reason ?? []));
      const connections = `at most 256, ${agents.length} agents`;
      const measured = (what: string) =>
        `alert to sent, ${perSecond}/s for ${seconds} s, limits of entries lifted: ${what}`;
      const [p50, p99] = [percentile(waits, 0.5), percentile(waits, 0.99)];
      add({
        measured: measured("p50, ms (bare: an insert)"),
        connections,
        product: fixed(p50, 1),
        bare: fixed(plain.p50Ms, 1),
        ratio: `${fixed(p50 / plain.p50Ms)}x`,
      });
      add({
        measured: measured("p99, ms (bare: an insert)"),
        connections,
        product: fixed(p99, 1),
        bare: fixed(plain.p99Ms, 1),
        ratio: `${fixed(p99 / plain.p99Ms)}x`,
      });
      add({
        measured: measured("p99 after the first second, which is cold, ms"),
        connections,
        product: fixed(percentile(warm, 0.99), 1),
      });
      add({
        measured: measured("sent a second until all settled"),
        connections,
        product:
          `${fixed(waits.length / tookSeconds, 1)}; ${round.sent()} alerts, ${rows.length} orders, ${filled} filled` +
          (others.size === 0 ? "" : ` (${[...others].join(", ")})`),
      });
      await product.stop();
    }, SHARED);
  };
