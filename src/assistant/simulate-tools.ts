import * as z from "zod/mini";
import { alertCondition } from "../contract/condition.ts";
import { evaluationCost, evaluationFault } from "../domain/condition/evaluation-bound.ts";
import type { AlertCondition } from "../domain/condition/condition.ts";
import { checkCondition } from "../domain/condition/check-condition.ts";
import { conditionText } from "../domain/condition/condition-text.ts";
import { INDICATORS, POSITION_FIGURES, PRICE_FIELDS } from "../domain/condition/indicator-table.ts";
import type { AgentId } from "../domain/ids.ts";
import { parseInterval } from "../domain/interval.ts";
import { SIGNALS } from "../domain/signal.ts";
import { DEFAULT_VENUE } from "../domain/venue-id.ts";
import { comparedText } from "../strategy/compared-text.ts";
import { conditionsOf } from "../strategy/firing-source.ts";
import { createConditionEvaluator, warmUpBars } from "../strategy/evaluate-conditions.ts";
import { gridParameters, gridValues, withParameters } from "../strategy/grid.ts";
import type { SimulatedAgent } from "../strategy/simulation.ts";
import { assetsReadBy } from "../strategy/warm-up.ts";
import { ASSETS, VENUE_PROFILES, symbolOf } from "../venues/profiles.ts";
import { parseProposal } from "./agent-proposal.ts";
import { proposedAgent } from "./described-agent.ts";
import { simulateGridWith, simulateWith } from "./simulate-agent.ts";
import { agentField, agentOf, tool, type ToolContext, ToolFault } from "./tool.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Maximum history of a question in days, because the owner waits while it loads. */
const MAX_DAYS = 365;

/** Maximum number of firings listed; the rest is counted. */
const SHOWN_FIRINGS = 5;

const daysField = {
  days: z._default(z.int().check(z.minimum(1), z.maximum(MAX_DAYS)), 90),
};

export const anObject = z.record(z.string(), z.unknown());

/** Comparisons that a caller's largest number of bars may all be evaluated on. */
const MAX_COMPARISONS = 20;

/** Refuses what takes longer than its caller may: history and warm-up of all variants, on all conditions together. */
function checkBars(
  days: number,
  intervalMinutes: number,
  { maxBars }: ToolContext,
  conditions: readonly AlertCondition[],
  variants = 1,
): void {
  const fault = evaluationFault(conditions, intervalMinutes);
  if (fault !== null) throw new ToolFault(fault);
  const bars = (variants * days * DAY_MS) / (intervalMinutes * MINUTE_MS);
  const { comparisons, bars: warmUp } = evaluationCost(conditions, intervalMinutes);
  const steps = (bars + variants * warmUp) * comparisons;
  const mostSteps = maxBars * MAX_COMPARISONS;
  if (bars <= maxBars && steps > mostSteps) {
    throw new ToolFault(
      `These are ${comparisons} comparisons on ${Math.ceil(steps / comparisons)} bars, ${Math.ceil(steps)} together, of at most ${mostSteps}; ask for fewer days, conditions or shorter periods.`,
    );
  }
  if (bars <= maxBars) return;
  const most = Math.floor((maxBars * intervalMinutes * MINUTE_MS) / DAY_MS / variants);
  throw new ToolFault(`These are ${Math.ceil(bars)} bars; ask for at most ${most} days.`);
}

const EXAMPLE_CONDITION = {
  kind: "comparisons",
  all: [
    {
      left: { kind: "indicator", name: "RSI", output: "value", parameters: [14] },
      is: "crosses-above",
      right: { kind: "number", value: 30 },
    },
  ],
};

const EXAMPLE_AGENT = {
  venue: DEFAULT_VENUE,
  asset: "SOL",
  interval: "1h",
  slippagePercent: "0.5",
  positionSizePercent: 100,
  alerts: [{ name: "oversold", condition: EXAMPLE_CONDITION }],
  rules: [{ action: "OPEN_LONG", conditions: [{ alert: "oversold", times: 1 }] }],
  plan: { stop: { at: { percent: 3 } }, targets: [{ at: { percent: 5 }, close: 50 }] },
};

export const listIndicators = tool({
  name: "list_indicators",
  title: "List what conditions can compare",
  description:
    "Indicators, prices and position figures a condition can compare, with ranges; markets of each venue, actions of rules, and an example of a condition and of an agent. Read it before you write either.",
  scope: "read",
  args: z.strictObject({}),
  run: async () => ({
    indicators: Object.fromEntries(
      Object.entries(INDICATORS).map(([name, { label, parameters, outputs, hasSource }]) => [
        name,
        { label, parameters, outputs, hasSource },
      ]),
    ),
    prices: PRICE_FIELDS,
    otherBars:
      'on of a price or indicator: { "interval": "4h", "asset": "BTC" }, both or one; a multiple of the agent\'s interval, an asset of any venue; the last bar that closed before the agent\'s',
    position: POSITION_FIGURES,
    comparisons: "above, below, crosses-above, crosses-below; rises-for, falls-for with bars",
    schedules: [
      { kind: "every-bars", bars: 24 },
      { kind: "time-of-day", atUtc: "08:00" },
    ],
    actions: SIGNALS,
    venues: Object.entries(VENUE_PROFILES).map(([venue, { kind, sides, markets }]) => ({
      venue,
      kind,
      sides,
      assets: markets.map(({ asset }) => asset),
    })),
    exampleCondition: EXAMPLE_CONDITION,
    exampleAgent: EXAMPLE_AGENT,
  }),
});

/** Parses a condition; throws `ToolFault` for none. */
function conditionOf(sent: unknown, intervalMinutes: number) {
  const parsed = z.safeParse(alertCondition, sent);
  const fault = parsed.success
    ? (checkCondition(parsed.data, intervalMinutes, ASSETS) ??
      evaluationFault([parsed.data], intervalMinutes))
    : "It has not the form of one";
  if (parsed.success && fault === null) return parsed.data;
  throw new ToolFault(`This is no condition: ${JSON.stringify(fault)}. list_indicators shows one.`);
}

export const previewCondition = tool({
  name: "preview_condition",
  title: "Preview a condition",
  description: "How often a condition would have fired on closed bars, and when last.",
  scope: "simulate",
  args: z.strictObject({
    asset: z.string().check(z.regex(/^[A-Za-z0-9]{1,16}$/)),
    interval: z.string().check(z.maxLength(12)),
    condition: anObject,
    ...daysField,
  }),
  async run({ asset, interval, days, ...args }, context) {
    const intervalMinutes = parseInterval(interval)?.minutes;
    if (intervalMinutes === undefined) {
      throw new ToolFault("The interval is a count of m, h, d or w, from 28m to 1w, like 1h.");
    }
    const condition = conditionOf(args.condition, intervalMinutes);
    checkBars(days, intervalMinutes, context, [condition]);
    const named = [{ alertKey: "condition", condition }];
    const fromMs = context.nowMs - days * DAY_MS;
    const warmUpMs = warmUpBars(named, intervalMinutes) * intervalMinutes * MINUTE_MS;
    const { bars, source } = await context.history({
      network: context.network,
      symbol: symbolOf(asset),
      intervalMinutes,
      fromMs: Math.max(0, fromMs - warmUpMs),
      toMs: context.nowMs - (context.nowMs % MINUTE_MS),
      beside: assetsReadBy([condition]),
    });
    const evaluator = createConditionEvaluator(named, intervalMinutes);
    const fired = bars.flatMap((bar) =>
      evaluator.next(bar).filter(({ closedAtMs }) => closedAtMs > fromMs),
    );
    const last = fired.slice(-SHOWN_FIRINGS).map(({ closedAtMs, price, compared }) => ({
      at: new Date(closedAtMs).toISOString(),
      price,
      because: compared.map(comparedText),
    }));
    const what = { condition: conditionText(condition), asset, interval, source, days };
    return { ...what, bars: bars.length, fired: fired.length, last };
  },
});

/** Returns the agent that is described, of the owner's agent where one is named; throws `ToolFault` for none. */
async function draftedAgent(draft: unknown, of: AgentId | undefined, context: ToolContext) {
  const known = of === undefined ? context.agent : await agentOf(context, of);
  const proposal = parseProposal(draft);
  const agent = proposal && (await proposedAgent(proposal, known, context.call));
  if (agent) return { agent, network: (known ?? context).network };
  throw new ToolFault(
    "Its market, interval or a condition is unknown, so it cannot be simulated. list_indicators has the form.",
  );
}

/** Returns an agent's conditions; throws `ToolFault` where one is none. */
const checkedConditions = (agent: SimulatedAgent): readonly AlertCondition[] =>
  conditionsOf(agent).map(({ condition }) => conditionOf(condition, agent.intervalMinutes));

export const simulateDraft = tool({
  name: "simulate",
  title: "Simulate an agent",
  description:
    "Simulates an agent with its conditions on past bars, costs included: measures and warnings. " +
    "Tell the warnings too. Every variant tried on a market is counted.",
  scope: "simulate",
  args: z.strictObject({ agent: anObject, ...daysField, of: agentField.agent }),
  async run({ agent: draft, days, of }, context) {
    const { agent, network } = await draftedAgent(draft, of, context);
    checkBars(days, agent.intervalMinutes, context, checkedConditions(agent));
    const plan = { network, agent, days, nowMs: context.nowMs, isTry: true };
    const { report, source } = await simulateWith(context, plan);
    const { market, intervalMinutes } = agent;
    const { measures, sentences } = report;
    return {
      asset: market.asset,
      intervalMinutes,
      days,
      source,
      measures,
      warnings: sentences,
    };
  },
});

/** Maximum number of variants of a grid. */
const MAX_VARIANTS = 25;

const axisField = z.strictObject({
  parameter: z.string().check(z.maxLength(200)),
  values: z.array(z.number()).check(z.minLength(1), z.maxLength(MAX_VARIANTS)),
});

/** Returns the axes of a grid; throws `ToolFault` with the numbers that can be varied where one names none of them. */
function axesOf(agent: SimulatedAgent, vary: readonly z.infer<typeof axisField>[]) {
  const parameters = gridParameters(agent);
  return vary.map(({ parameter: label, values }) => {
    const parameter = parameters.find((each) => each.label === label);
    const isFitting = (value: number) =>
      value >= (parameter?.min ?? -Infinity) &&
      value <= (parameter?.max ?? Infinity) &&
      (Number.isInteger(value) || parameter?.isWhole === false);
    if (parameter !== undefined && values.every(isFitting)) return { parameter, values };
    const known = parameters.map(({ label: name, value, isWhole, min, max }) =>
      JSON.stringify({ parameter: name, now: value, isWhole, min, max }),
    );
    throw new ToolFault(`Vary one of these within its range: ${known.join(", ")}.`);
  });
}

export const simulateGrid = tool({
  name: "simulate_grid",
  title: "Simulate variants of an agent",
  description:
    "Simulates an agent with every combination of values of one or two numbers of its conditions and plan, on past bars. " +
    "Variants are compared on the first 70% of the bars; only the best one is also run on the rest, which is its result. " +
    "All variants count as tried: say that the best of many is partly luck, and tell the neighbours of the best too.",
  scope: "simulate",
  args: z.strictObject({
    agent: anObject,
    vary: z.array(axisField).check(z.minLength(1), z.maxLength(2)),
    ...daysField,
    of: agentField.agent,
  }),
  async run({ agent: draft, vary, days, of }, context) {
    const { agent, network } = await draftedAgent(draft, of, context);
    const axes = axesOf(agent, vary);
    const combinations = gridValues(agent, axes);
    if (combinations.length > MAX_VARIANTS) {
      throw new ToolFault(
        `These are ${combinations.length} variants; ask for at most ${MAX_VARIANTS}.`,
      );
    }
    if (combinations.length === 0) throw new ToolFault("Each fast length is below its slow one.");
    const ids = axes.map(({ parameter }) => parameter.id);
    // Together they may take as long as one simulation
    for (const values of combinations) {
      const conditions = checkedConditions(withParameters(agent, ids, values));
      checkBars(days, agent.intervalMinutes, context, conditions, combinations.length);
    }
    const plan = { network, agent, days, nowMs: context.nowMs };
    const grid = await simulateGridWith(context, plan, axes);
    const variants = grid.variants.map(({ values, report }) => {
      const { totalReturn, maxDrawdown, sharpe, deflatedSharpe, closedTrades } = report.measures;
      return { values, totalReturn, maxDrawdown, sharpe, deflatedSharpe, closedTrades };
    });
    const { keptOut, overfitting } = grid;
    return {
      asset: agent.market.asset,
      intervalMinutes: agent.intervalMinutes,
      days,
      varied: axes.map(({ parameter }) => parameter.label),
      comparedUntil: new Date(grid.comparedUntilMs).toISOString(),
      variants,
      best: variants[grid.best ?? -1]?.values ?? null,
      /** What the best one made after that; no other's is told, because it would decide the choice. */
      bestKeptOut: keptOut && {
        totalReturn: keptOut.totalReturn,
        maxDrawdown: keptOut.maxDrawdown,
        sharpe: keptOut.sharpe,
        closedTrades: keptOut.closedTrades,
      },
      overfitting,
    };
  },
});
