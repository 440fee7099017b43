import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestClock } from "../../../../test/clock.ts";
import { type ConditionWorld, createConditionWorld } from "../../../../test/condition-world.ts";
import { agentDraft, INTERVAL_MINUTES, simulatedAgentOf } from "../../../../test/random-agents.ts";
import { buildSimulation } from "../../../../test/simulated.ts";
import type { AlertCondition } from "../../../domain/condition/condition.ts";
import { warmUpBars } from "../../../strategy/evaluate-conditions.ts";
import { simulate } from "../../../strategy/simulate.ts";
import type { SimulatedAgent } from "../../../strategy/simulation.ts";
import { openTimeBefore, readBeside } from "../../market-data/candle-history.ts";

/** Random agents and bars a run; more in a release: LIVE_AGENTS=40 LIVE_BARS=2000. */
const AGENTS = Number(process.env["LIVE_AGENTS"] ?? 12);
const BARS = Number(process.env["LIVE_BARS"] ?? 150);
const BAR_MS = INTERVAL_MINUTES * 60_000;

/** Bars between two restarts of the servers. */
const RESTART_BARS = 61;

let world: ConditionWorld;

beforeEach(async () => {
  world = await createConditionWorld(createTestClock(Date.parse("2026-11-21T08:00:00Z")));
});

afterEach(() => world.close());

const conditionsOf = ({ alerts }: SimulatedAgent) =>
  Object.fromEntries(alerts.map(({ name, condition }) => [name, condition as AlertCondition]));

/** Alerts that were counted, and what they planned, as the database has them. */
async function readLive(agentId: string) {
  const { rows: events } = await world.database.pool.query(
    `select alert_name as name, count(*)::int as count from alert_events
     where agent_id = $1 and outcome = 'accepted' group by alert_name`,
    [agentId],
  );
  const { rows: orders } = await world.database.pool.query(
    `select (extract(epoch from fired_at) * 1000)::float8 as at, signal,
       case state when 'denied' then orders.reason else state end as state
     from orders join alert_events event on event.id = event_id
     where orders.agent_id = $1 and leg = 0 order by orders.seq`,
    [agentId],
  );
  return {
    fired: Object.fromEntries(events.map(({ name, count }) => [name, count])),
    orders: orders.map(({ at, signal, state }) => `${at} ${signal} ${state}`),
  };
}

it(`live firings and plans equal the simulation: ${AGENTS} random agents on one database over ${BARS} bars`, async () => {
  const agents = fc.sample(agentDraft, { seed: 64, numRuns: AGENTS }).map(simulatedAgentOf);
  const fromMs = world.clock.now();
  const ids: string[] = [];
  for (const agent of agents) {
    const rules = agent.rules.map(({ action, conditions }) => {
      const needs = conditions.map(({ alertKey, requiredCount }) => [alertKey, requiredCount]);
      return [action, Object.fromEntries(needs) as Record<string, number>] as const;
    });
    ids.push(await world.addAgent({ conditions: conditionsOf(agent), rules }));
  }
  let servers = [world.startServer(), world.startServer()];
  for (let bar = 0; bar < BARS; bar += 1) {
    if (bar % RESTART_BARS === RESTART_BARS - 1) {
      servers = [world.startServer(), world.startServer()];
    }
    world.clock.advance(BAR_MS);
    // Mostly one is first; now and then both are
    const working = bar % 9 === 0 ? servers : servers.slice(bar % 2).slice(0, 1);
    await Promise.all(working.map((server) => server.round()));
  }
  expect(world.problems).toEqual([]);

  const toMs = world.clock.now();
  let planned = 0;
  for (const [at, agent] of agents.entries()) {
    const named = Object.entries(conditionsOf(agent)).map(([alertKey, condition]) => ({
      alertKey,
      condition,
    }));
    const warmUp = warmUpBars(named, INTERVAL_MINUTES);
    const query = {
      symbol: "SOLUSDT",
      intervalMinutes: INTERVAL_MINUTES,
      fromMs: openTimeBefore(INTERVAL_MINUTES, fromMs, warmUp),
      toMs,
    };
    const { bars } = await readBeside(world.history, query, ["BTC"]);
    const { orders, fired } = simulate({
      ...buildSimulation(bars, []),
      agent,
      fromMs,
      firings: { kind: "conditions" },
    });
    const live = await readLive(ids[at] ?? "");
    expect(live.fired).toEqual(fired);
    const simulated = orders
      .filter(({ leg }) => leg === 0)
      .map(
        ({ signalledAtMs, signal, refusal }) =>
          `${signalledAtMs} ${signal} ${refusal === "both_sides" ? refusal : "planned"}`,
      );
    // The last bar's signals have no next bar to trade on in the simulation
    expect(live.orders.filter((order) => !order.startsWith(`${toMs} `))).toEqual(simulated);
    planned += simulated.length;
  }
  expect(planned).toBeGreaterThan(AGENTS);
}, 900_000);
