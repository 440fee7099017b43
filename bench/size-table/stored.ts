import type { Pool } from "pg";
import { withDatabase } from "../bench-database.ts";
import { fixed, median, requireOnly } from "../figures.ts";
import { pace, saturate } from "../http-load.ts";
import { databaseCpuMs } from "../processes.ts";
import { type SeededAgent, seedAgents } from "../seed-agents.ts";
import { tickShots } from "../tick-shots.ts";
import { type MeasureRow, scaled } from "./row.ts";
import { pause, SHARED, startProduct } from "./servers.ts";

const ROUNDS = 3;
const FEW_AGENTS = 100;
const MANY_AGENTS = 10_000;
const EVENTS = 1_000_000;
/** Below one alert a second of each of the few agents. */
const PER_SECOND = 80;
const CONNECTIONS = 32;

/** Stores events as acknowledging writes them, of the last ten days, agents in turn. */
async function seedEvents(pool: Pool, agents: readonly SeededAgent[], count: number) {
  await pool.query(
    `insert into alert_events (received_at, fired_at, id, agent_id, alert_id, outcome, alert_name, body_hash, effects)
     select at, at, md5('event' || n)::uuid, agent::uuid, agent::uuid, 'accepted', 'tick',
       decode(substring(md5('body' || n) for 16), 'hex'),
       decode(agent || '000001' || agent || '013c', 'hex')
     from (select n, ($1::text[])[1 + n % $2] as agent, now() - interval '10 days' * (1 - n / $3::float8) as at
           from generate_series(1, $3) as n) as events`,
    [agents.map(({ id }) => id), agents.length, count],
  );
  await pool.query("vacuum analyze alert_events");
}

/** A product with its own database, whose cost can be read. */
async function openSide(
  url: string,
  pool: Pool,
  databasePid: number,
  agentCount: number,
  events: number,
) {
  const product = await startProduct(url);
  const agents = await seedAgents(pool, product.sessionSecret, agentCount);
  if (events > 0) await seedEvents(pool, agents, events);
  const next = tickShots(agents);
  // Each agent's rules are read once before
  for (let sent = 0; sent < agentCount;) {
    const { statuses } = await saturate(
      product.ports,
      CONNECTIONS,
      Math.min(1_000, agentCount / 2),
      next,
    );
    sent += [...statuses.values()].reduce((sum, count) => sum + count, 0);
  }
  const spent = async (work: () => Promise<unknown>) => {
    const before = product.cpuMs() + databaseCpuMs(databasePid);
    await work();
    return product.cpuMs() + databaseCpuMs(databasePid) - before;
  };
  return {
    stop: product.stop,
    /** Processor time a second at rest, and of each alert beside it, in milliseconds. */
    async measure(seconds: number) {
      const rest = (await spent(() => pause(seconds))) / seconds;
      let p50Ms = Number.NaN;
      const busy = await spent(async () => {
        const result = await pace(product.ports, PER_SECOND, seconds * 1_000, next);
        requireOnly(202, result, "The product");
        p50Ms = result.p50Ms;
      });
      return { rest, each: (busy - rest * seconds) / (PER_SECOND * seconds), p50Ms };
    },
  };
}

/** Cost of an alert with few agents and nothing stored, and with many agents and a long history. */
export const stored: MeasureRow = async (options, add) => {
  const [agents, events] = [scaled(MANY_AGENTS, options), scaled(EVENTS, options)];
  const count = (value: number) => value.toLocaleString("en");
  await withDatabase(async (url, pool, pid) => {
    const few = await openSide(url, pool, pid, FEW_AGENTS, 0);
    await withDatabase(async (otherUrl, otherPool, otherPid) => {
      const many = await openSide(otherUrl, otherPool, otherPid, agents, events);
      const sides = { few: [] as Measured[], many: [] as Measured[] };
      for (let round = 0; round < ROUNDS; round += 1) {
        sides.few.push(await few.measure(options.seconds / ROUNDS));
        sides.many.push(await many.measure(options.seconds / ROUNDS));
      }
      const line = (what: string, pick: (of: Measured) => number) => {
        const [large, small] = [median(sides.many.map(pick)), median(sides.few.map(pick))];
        add({
          measured: `${count(agents)} agents, ${count(events)} events: ${what} (bare: ${FEW_AGENTS} agents, none)`,
          connections: `at most 256 at ${PER_SECOND}/s`,
          product: fixed(large),
          bare: fixed(small),
          ratio: `${fixed(large / small)}x`,
        });
      };
      line("processor time of an alert, ms", ({ each }) => each);
      line("ack p50, ms", ({ p50Ms }) => p50Ms);
      line("processor time at rest, ms a second", ({ rest }) => rest);
      await many.stop();
    }, SHARED);
    await few.stop();
  }, SHARED);
};

type Measured = Awaited<ReturnType<Awaited<ReturnType<typeof openSide>>["measure"]>>;
