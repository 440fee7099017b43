import fc from "fast-check";
import { expect, it } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import { agentDraft, INTERVAL_MINUTES, simulatedAgentOf } from "../../../../test/random-agents.ts";
import { randomBars } from "../../../../test/random-conditions.ts";
import { buildSimulation } from "../../../../test/simulated.ts";
import type { AlertCondition } from "../../../domain/condition/condition.ts";
import type { Bar } from "../../../strategy/bar-times.ts";
import { simulate } from "../../../strategy/simulate.ts";
import type { SimulatedAgent } from "../../../strategy/simulation.ts";
import type { KnownAgent } from "../../store/intake/alert-transaction.ts";
import type { ConditionAgent } from "../../store/alerts/conditions.ts";
import type { InboxAgent } from "../../store/intake/inbox.ts";
import { evaluateBatch } from "../../trading/intake/evaluate-batch.ts";
import { createAgentEvaluators } from "./agent-evaluators.ts";
import { deliverFirings } from "./deliver-firings.ts";

/** Every pull request; more in a release: SIMULATED_SEEDS=2000. */
const SEEDS = Number(process.env["SIMULATED_SEEDS"] ?? 200);
const AGENTS = 2;
const BARS = 2_000;

/** Returns the signals planned for an agent that is evaluated in steps, each by a new server. */
async function livePlans(
  agent: SimulatedAgent,
  bars: readonly Bar[],
  fromMs: number,
  random: () => number,
): Promise<readonly string[]> {
  const alerts = agent.alerts.map(({ alertKey, name, condition }) => ({
    id: alertKey,
    name,
    condition: condition as AlertCondition,
  }));
  const changedAt = new Date(0);
  const stored = {
    agentId: agentIdOf("a"),
    alerts,
    changedAt,
    network: "practice",
  } as unknown as ConditionAgent;
  let known: KnownAgent = {
    agent: {
      agentId: agentIdOf("a"),
      venue: "drift",
      marketId: "SOL-PERP",
      autoTrade: "on",
      maxSignalAgeSeconds: 300,
      changedAtMs: 0,
    } as InboxAgent,
    version: 0n,
    alertIds: new Map(alerts.map(({ id, name }) => [name, id])),
    rules: agent.rules.map(({ portion = 100, ...rule }) => ({
      ...rule,
      ...(portion < 100 && { portion }),
      conditions: rule.conditions.map((each) => ({ ...each, count: 0 })),
    })),
    events: [],
  };
  const placeOf = (timeMs: number) =>
    Math.max(0, (timeMs - (bars[0]?.openTimeMs ?? 0)) / (INTERVAL_MINUTES * 60_000));
  const plans: string[] = [];
  let id = 0;
  let evaluators = createAgentEvaluators(INTERVAL_MINUTES);
  for (let doneToMs = fromMs; doneToMs < (bars.at(-1)?.closeTimeMs ?? 0);) {
    if (random() < 0.02) evaluators = createAgentEvaluators(INTERVAL_MINUTES);
    const toMs = doneToMs + Math.ceil(random() ** 4 * 40) * INTERVAL_MINUTES * 60_000;
    const due = { agent: stored, sinceMs: doneToMs, doneToMs, entry: null };
    const neededMs = evaluators.neededFromMs(due);
    const seen = bars.slice(placeOf(neededMs), placeOf(toMs));
    const firings = await evaluators.evaluate(due, "random", seen);
    await deliverFirings([{ agent: stored, firings, unlisted: [] }], {
      onError: (error) => expect.fail(String(error)),
      nowMs: 0,
      async receive(delivery) {
        if (delivery.content.kind !== "condition") throw new Error("Not a condition's");
        const { firedAtMs } = delivery.content;
        // The clock stands at the bar's close, whenever it was caught up on
        const now = { ...delivery, receivedAtMs: firedAtMs + 1_000 };
        const evaluated = evaluateBatch(new Map([[agentIdOf("a"), known]]), [now], {
          newId: () => `${(id += 1)}`.padStart(32, "0"),
        });
        known = evaluated.after.get(agentIdOf("a")) ?? known;
        for (const { signal, deniedFor } of evaluated.writes.orders) {
          plans.push(`${firedAtMs} ${signal} ${deniedFor ?? "planned"}`);
        }
        return evaluated.value.results[0] ?? { kind: "unknown" };
      },
    });
    doneToMs = toMs;
  }
  return plans;
}

it("live firings and plans equal the simulation, in any steps and with any restarts", async () => {
  const property = fc.asyncProperty(
    fc.array(agentDraft, { minLength: AGENTS, maxLength: AGENTS }),
    fc.nat(),
    async (drafts, seed) => {
      const bars = randomBars(seed, BARS, INTERVAL_MINUTES);
      // Far enough in that every warm-up fits before it
      const fromMs = bars[300]?.openTimeMs ?? 0;
      let state = seed;
      const random = () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return state / 2 ** 32;
      };
      for (const draft of drafts) {
        const agent = simulatedAgentOf(draft);
        const { orders } = simulate({
          ...buildSimulation(bars, []),
          agent,
          fromMs,
          firings: { kind: "conditions" },
        });
        const simulated = orders
          .filter(({ leg }) => leg === 0)
          .map(
            ({ signalledAtMs, signal, refusal }) =>
              `${signalledAtMs} ${signal} ${refusal === "both_sides" ? refusal : "planned"}`,
          );
        const live = await livePlans(agent, bars, fromMs, random);
        // The last bar's signals have no next bar to trade on in the simulation
        const lastMs = bars.at(-1)?.closeTimeMs;
        expect(live.filter((plan) => !plan.startsWith(`${lastMs} `))).toEqual(simulated);
      }
    },
  );
  await fc.assert(property, { numRuns: SEEDS });
});
