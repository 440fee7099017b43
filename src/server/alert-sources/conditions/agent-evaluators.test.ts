import fc from "fast-check";
import { expect, it } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import { randomBars } from "../../../../test/random-conditions.ts";
import type { AlertCondition, Comparison } from "../../../domain/condition/condition.ts";
import type { PositionFigure } from "../../../domain/condition/indicator-table.ts";
import type { ConditionAgent } from "../../store/alerts/conditions.ts";
import type { OpenEntry } from "../../store/trade-log/open-entries.ts";
import { createAgentEvaluators } from "./agent-evaluators.ts";

const HOUR_MS = 3_600_000;
const BARS = 700;

const figure = (name: PositionFigure) => ({ kind: "position", figure: name }) as const;
const above = (name: PositionFigure, value: number): Comparison => ({
  left: figure(name),
  is: "above",
  right: { kind: "number", value },
});
const when = (...all: Comparison[]): AlertCondition => ({ kind: "comparisons", all });

const CONDITIONS: readonly AlertCondition[] = [
  when(above("drop-from-best-percent", 2)),
  when(above("bars-since-entry", 40)),
  when({ left: figure("profit-percent"), is: "rises-for", bars: 3 }),
  when({
    left: figure("drop-from-best-percent"),
    is: "crosses-above",
    right: { kind: "number", value: 1 },
  }),
];

const agent = {
  agentId: "a",
  changedAt: new Date(0),
  alerts: CONDITIONS.map((condition, at) => ({ id: `${at}`, name: `${at}`, condition })),
} as unknown as ConditionAgent;

it("fires on a position identically for any holding time, restart and delay of its entry", async () => {
  const place = fc.integer({ min: 250, max: BARS - 2 });
  const property = fc.asyncProperty(
    fc.nat(),
    place,
    place,
    fc.nat(30),
    fc.constantFrom("long", "short"),
    async (seed, entered, restart, lateBy, side) => {
      const bars = randomBars(seed, BARS, 60);
      const firstMs = bars[0]?.openTimeMs ?? 0;
      const filledMs = firstMs + entered * HOUR_MS + 1_000;
      const entry: OpenEntry = {
        agentId: agentIdOf("a"),
        side,
        entryPrice: bars[entered]?.open ?? 0,
        filledAt: new Date(filledMs),
      };
      const run = async (isRestarted: boolean) => {
        let evaluators = createAgentEvaluators(60);
        const fired: string[] = [];
        for (let at = 240; at < BARS; at += 1) {
          if (isRestarted && at === restart) evaluators = createAgentEvaluators(60);
          const known = at >= entered + (isRestarted ? lateBy : 0);
          const doneToMs = firstMs + at * HOUR_MS;
          const due = { agent, sinceMs: doneToMs, doneToMs, entry: known ? entry : null };
          const fromMs = evaluators.neededFromMs(due);
          const given = bars.slice(Math.max(0, (fromMs - firstMs) / HOUR_MS), at + 1);
          for (const firing of await evaluators.evaluate(due, "s", given)) {
            if (at >= entered + lateBy) fired.push(JSON.stringify(firing));
          }
        }
        return fired;
      };
      expect(await run(true)).toEqual(await run(false));
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

it("evaluates a position's figures as of each bar of a downtime", async () => {
  const bars = randomBars(7, BARS, 60);
  const firstMs = bars[0]?.openTimeMs ?? 0;
  const filledAt = new Date(firstMs + 300 * HOUR_MS + 1_000);
  const entry: OpenEntry = { agentId: agentIdOf("a"), side: "long", entryPrice: 100, filledAt };
  const held = {
    ...agent,
    alerts: [{ id: "a", name: "a", condition: when(above("bars-since-entry", -1)) }],
  };
  const doneToMs = firstMs + 298 * HOUR_MS;
  const due = { agent: held, sinceMs: doneToMs, doneToMs, entry };
  const firings = await createAgentEvaluators(60).evaluate(due, "s", bars.slice(0, 304));
  expect(
    firings.map(({ closedAtMs, compared }) => [
      (closedAtMs - firstMs) / HOUR_MS,
      compared[0]?.left,
    ]),
  ).toEqual([
    [301, 0],
    [302, 1],
    [303, 2],
    [304, 3],
  ]);
});

it("yields to other work while the most expensive agent is evaluated from scratch", async () => {
  const bars = randomBars(7, BARS, 60);
  const dearest = when(...Array.from({ length: 4 }, () => above("bars-since-entry", -1)));
  const alerts = Array.from({ length: 100 }, (_, at) => ({
    id: `${at}`,
    name: `${at}`,
    condition: dearest,
  }));
  const sinceMs = bars[0]?.openTimeMs ?? 0;
  const due = { agent: { ...agent, alerts }, sinceMs, doneToMs: sinceMs, entry: null };
  let pauses = 0;
  const pause = async () => void (pauses += 1);
  await createAgentEvaluators(60).evaluate(due, "s", bars, pause);
  expect(pauses).toBe(Math.floor(BARS / 16));
});
