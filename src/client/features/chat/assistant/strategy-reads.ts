import * as z from "zod/mini";
import { alertCondition } from "../../../../contract/condition.ts";
import { listDecisions } from "../../../../contract/decisions.ts";
import { readPages } from "../../../queries/read.ts";
import { checkCondition } from "../../../../domain/condition/check-condition.ts";
import { conditionText } from "../../../../domain/condition/condition-text.ts";
import {
  INDICATORS,
  POSITION_FIGURES,
  PRICE_FIELDS,
} from "../../../../domain/condition/indicator-table.ts";
import { parseInterval } from "../../../../domain/interval.ts";
import { createConditionEvaluator, warmUpBars } from "../../../../strategy/evaluate-conditions.ts";
import { comparedText } from "../../../../strategy/compared-text.ts";
import { parseProposal } from "../../../lib/ai/agent-proposal.ts";
import { candleHistoryQuery } from "../../../queries/candle-history.ts";
import { symbolOf } from "../../../queries/candles.ts";
import { clock } from "../../../lib/clock.ts";
import { simulateAgent } from "../../../workers/simulate-agent.ts";
import { type AgentRead, agentOf } from "./agent-read.ts";
import { proposedAgent } from "./proposed-agent.ts";
import { simulationResult } from "./simulation-result.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Maximum history of a question in days, because the user waits while it loads. */
const MAX_DAYS = 365;

/** Maximum number of firings listed; the rest is counted. */
const SHOWN_FIRINGS = 5;

const days = z._default(z.int().check(z.minimum(1), z.maximum(MAX_DAYS)), 90);

const previewArgs = z.object({
  asset: z.string().check(z.maxLength(20)),
  interval: z.string().check(z.maxLength(12)),
  condition: alertCondition,
  days,
});

const simulateArgs = z.object({ agent: z.unknown(), days });

const explainArgs = z.object({
  number: z._default(z.int().check(z.minimum(1), z.maximum(20)), 1),
  outcome: z.optional(z.enum(["traded", "denied"])),
});

const daysParameter = { type: "integer", minimum: 1, maximum: MAX_DAYS };

/** The indicators as an assistant is told of them. */
const INDICATOR_CHOICES = Object.fromEntries(
  Object.entries(INDICATORS).map(([name, { label, parameters, outputs, hasSource }]) => [
    name,
    { label, parameters, outputs, hasSource },
  ]),
);

/** Reads about strategies: available conditions, past firings, simulated results and reasons. */
export const STRATEGY_READS: readonly AgentRead[] = [
  {
    needsAgent: false,
    tool: {
      name: "list_indicators",
      description: "Indicators, prices and position figures a condition can compare, with ranges.",
      parameters: { type: "object", properties: {} },
    },
    read: async () => ({
      label: "the indicators conditions can use",
      data: { indicators: INDICATOR_CHOICES, prices: PRICE_FIELDS, position: POSITION_FIGURES },
    }),
  },
  {
    needsAgent: false,
    tool: {
      name: "preview_condition",
      description: "How often a condition would have fired on closed bars, and when last.",
      parameters: {
        type: "object",
        properties: {
          asset: { type: "string", description: "Like SOL" },
          interval: { type: "string", description: "Like 1h" },
          condition: { type: "object", description: "As in an alert of the agent block" },
          days: daysParameter,
        },
        required: ["asset", "interval", "condition"],
      },
    },
    async read(args, { queryClient, network }) {
      const of = z.parse(previewArgs, args);
      const fault = checkCondition(of.condition);
      if (fault !== null) return { label: "a condition that makes no sense", data: fault };
      const intervalMinutes = parseInterval(of.interval)?.minutes;
      if (intervalMinutes === undefined) throw new Error("No interval");
      const named = [{ alertKey: "condition", condition: of.condition }];
      const toMs = clock.now();
      const fromMs = toMs - of.days * DAY_MS;
      const warmUpMs = warmUpBars(named, intervalMinutes) * intervalMinutes * MINUTE_MS;
      const { bars, source } = await queryClient.fetchQuery(
        candleHistoryQuery({
          network,
          symbol: symbolOf(of.asset.toUpperCase()),
          intervalMinutes,
          fromMs: Math.max(0, fromMs - warmUpMs),
          toMs: toMs - (toMs % MINUTE_MS),
        }),
      );
      const evaluator = createConditionEvaluator(named, intervalMinutes);
      const fired = bars.flatMap((bar) =>
        evaluator.next(bar).filter(({ closedAtMs }) => closedAtMs > fromMs),
      );
      const last = fired.slice(-SHOWN_FIRINGS).map(({ closedAtMs, price, compared }) => ({
        at: new Date(closedAtMs).toISOString(),
        price,
        because: compared.map(comparedText),
      }));
      const text = conditionText(of.condition);
      return {
        label: `how often "${text}" would have fired on ${of.asset}, ${of.interval}`,
        data: { source, days: of.days, bars: bars.length, fired: fired.length, last },
        result: {
          title: `${text}: ${of.asset}, ${of.interval}, ${source}`,
          figures: [
            ["Fired", `${fired.length} times`],
            ["Within", `${of.days} days`],
            ["Last", last.at(-1)?.at.slice(0, 10) ?? "never"],
          ],
          notes: [],
        },
      };
    },
  },
  {
    needsAgent: false,
    tool: {
      name: "simulate",
      description:
        "Simulates an agent with its conditions on past bars, costs included: measures and warnings. " +
        "Tell the warnings too.",
      parameters: {
        type: "object",
        properties: {
          agent: { type: "object", description: "The object of the agent block" },
          days: daysParameter,
        },
        required: ["agent"],
      },
    },
    async read(args, context) {
      const of = z.parse(simulateArgs, args);
      const proposal = parseProposal(of.agent);
      const agent = proposal && (await proposedAgent(proposal, context));
      if (!agent) {
        return {
          label: "a proposal that cannot be simulated",
          data: { error: "Its market, interval or a condition is none." },
        };
      }
      const { queryClient, network, signal, owner } = context;
      const plan = { network, agent, days: of.days, nowMs: clock.now(), triedBy: owner };
      const run = await simulateAgent(queryClient, plan, signal);
      const result = simulationResult(run, of.days);
      return {
        label: `a simulation of ${of.days} days`,
        data: { source: run.source, measures: run.report.measures, warnings: result.notes },
        result,
      };
    },
  },
  {
    needsAgent: true,
    tool: {
      name: "explain_trade",
      description:
        "Why the agent traded or did not: alerts, counters, rule, account, every check, order, fill and outcome " +
        "as they were recorded. Number 1 is the newest.",
      parameters: {
        type: "object",
        properties: {
          number: { type: "integer", minimum: 1, maximum: 20 },
          outcome: { type: "string", enum: ["traded", "denied"] },
        },
      },
    },
    async read(args, context) {
      const { number, outcome } = z.parse(explainArgs, args);
      const { pages } = await context.queryClient.fetchInfiniteQuery({
        ...readPages(
          context.owner,
          listDecisions,
          { params: { agentId: agentOf(context).id }, query: outcome ? { outcome } : {} },
          "cursor",
          ({ next }) => next,
        ),
        staleTime: 0,
      });
      const decision = pages[0]?.decisions[number - 1];
      if (decision === undefined) return { label: "no such decision", data: { error: "None." } };
      return { label: `why decision ${number} came to be`, data: decision };
    },
  },
];
