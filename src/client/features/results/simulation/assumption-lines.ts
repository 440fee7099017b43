import { formatDecimal, parseDecimal } from "../../../../domain/amount.ts";
import { OWNER_LIMIT_NAMES, type OwnerLimits } from "../../../../domain/owner-limits.ts";
import { isBuiltIn } from "../../../../domain/network.ts";
import type { AgentReport } from "../../../../assistant/simulate-agent.ts";
import type { SimulatedAgent } from "../../../../strategy/simulation.ts";
import { readTypedNumber } from "../../../lib/typed-number.ts";
import type { TradingCosts } from "../../../../domain/trading-costs.ts";
import { ownerLimitName, ownerLimitSize } from "../../../../domain/owner-limit-words.ts";

/** Returns the fixed assumptions of a run, one or two sentences per line. */
export function assumptionLines(done: AgentReport): string[] {
  const { request, known, report, source, barMinutes } = done;
  const { agent, costs } = request;
  const { times, warmUpBars } = report.result;
  const size = formatDecimal(costs.minBaseSize, agent.market.baseDecimals);
  return [
    `Bars: ${source}, ${barMinutes} minutes, ${times.length.toLocaleString("en-US")} counted after ${warmUpBars} that only warm the indicators up.`,
    request.firings.kind === "conditions"
      ? "A signal of a bar's close fills at the next bar's open, never at the price that caused it."
      : `An alert from outside fills at the first open after it came, up to ${barMinutes} minutes later. An order in a file whose price is not its bar's open counts from the end of that bar.`,
    `An entry uses ${agent.positionSizePercent}% of the free money at ${agent.leverage ?? 1}x and does not fill further than ${agent.slippageBps / 100}% from the close that caused it, nor does an add on a signal; a closing always fills.`,
    `Smallest entry ${size} ${agent.market.asset}. ${known.sources.minimum}.`,
    ...pastCostLines(done),
    "Each rule of these numbers, with its rounding, is in the documentation: docs/simulation.md.",
    "A position open at the end counts with what closing it at the last close would cost.",
    "Rules, counters, order sizes, the limits of orders, of failures and of a day's loss are the ones that trade.",
    ...ownLimitLines(agent.limits),
    "Entries of your other agents, and of everybody's on the network, count towards limits too and are not simulated.",
    ...planLines(agent),
    ...(agent.market.kind === "perpetual" && !agent.plan
      ? [
          "Inside a bar only the venue's liquidation is looked at; the agent has no order that waits there.",
        ]
      : []),
    ...(agent.market.kind === "spot" ? [dailyLimitLine({ request, known })] : []),
  ];
}

/** What of the market's costs is the past's, and what stands in where nothing is known of it. */
function pastCostLines({ network, known, request: { costs, agent } }: AgentReport): string[] {
  const present = isBuiltIn(network)
    ? "the built-in exchange's as it stands"
    : "the exchange's of today";
  const hours = costs.halfSpreadPpmByHour?.filter((ppm) => ppm !== null).length ?? 0;
  const { publishedFunding: published } = costs;
  const since = new Date(published?.atMs[0] ?? 0).toISOString().slice(0, 10);
  return [
    hours > 0
      ? `Half the spread is ${present}, or what live prices had in that hour of the day if that is more; ${hours} of 24 hours are measured. Impact is ${present}.`
      : `Spread and impact are ${present}, the same at every hour: none is measured by hour here.`,
    ...(agent.market.kind === "spot"
      ? []
      : published === undefined
        ? [`Funding is ${present}: no rates published for the past are read here, or none came.`]
        : [
            `Funding is what ${known.publishedFunding?.source} published for its own perpetual, ${published.atMs.length} settlements since ${since}; where these are missing it is ${present}.`,
          ]),
  ];
}

/** The rule inside a bar, where the order of prices is unknown. */
function planLines({ plan, market }: SimulatedAgent): string[] {
  if (!plan) return [];
  const fee =
    market.kind === "perpetual"
      ? " A stop that rests at the exchange costs 0.01 more once it is triggered."
      : "";
  return [
    `Inside a bar the order of prices is unknown, so it is assumed against you: what is due at the open first, then adds inside the bar, then the stop,${market.kind === "perpetual" ? " then the venue's liquidation," : ""} then targets, the nearest first. What the open jumped over fills at the open; an add against the position that lies beyond the stop is not made. A trailing stop follows the extremes of earlier bars and this open.${fee}`,
  ];
}

function dailyLimitLine({ request, known }: Pick<AgentReport, "request" | "known">): string {
  const { dailyLimits, market } = request.agent;
  if (dailyLimits === null) {
    return "No daily limit of the trading key is applied: none is approved for this market, or it could not be read.";
  }
  const spent = `${formatDecimal(dailyLimits.quote, request.quoteDecimals)} ${known.quoteSymbol}`;
  const sold = `${formatDecimal(dailyLimits.base, market.baseDecimals)} ${market.asset}`;
  return `The trading key's daily limits hold as they are approved now: it spends at most ${spent} and sells at most ${sold} a day. Both are unused at the start of the run.`;
}

function ownLimitLines(limits: OwnerLimits): string[] {
  const set = OWNER_LIMIT_NAMES.filter((name) => limits[name] !== null);
  const held = set
    .filter((name) => name !== "assetShareBps")
    .map((name) => limitText(name, limits));
  return [
    ...(held.length === 0
      ? []
      : [
          `Your limits hold as they stand now: ${held.join(", ")}. What pauses the agent until you resume it pauses it to the end of the run.`,
        ]),
    ...(limits.fallBps === null
      ? []
      : [
          "The fall from the peak is measured as live: at orders, after fills and once an hour, here at the closes of bars.",
        ]),
    ...(set.includes("assetShareBps")
      ? [
          `Your limit "${limitText("assetShareBps", limits)}" depends on your other agents and is not simulated.`,
        ]
      : []),
  ];
}

const limitText = (name: keyof OwnerLimits, limits: OwnerLimits): string =>
  `${ownerLimitName(name)} ${ownerLimitSize(name, limits[name])}`;

/** Editable costs, as typed percent text. */
const COST_FIELDS = ["feePpm", "halfSpreadPpm", "impactPpm", "fundingPpmPerDay"] as const;

export type CostField = (typeof COST_FIELDS)[number];

/** Input of the assumptions form; an empty field uses the venue's value. */
export interface AssumptionForm {
  /** Quote units as decimal text. */
  readonly money: string;
  readonly costs: Readonly<Record<CostField, string>>;
}

/** Parsed assumptions for a simulation. */
export interface Assumptions {
  readonly startMoney: bigint;
  readonly costs: Partial<TradingCosts>;
}

/** Maximum cost in millionths: 10 percent. */
const MAX_PPM = 100_000n;

/** Returns millionths as percent text, for instance "0.035" for 350. */
const ppmText = (ppm: number): string => `${Number((ppm / 10_000).toFixed(4))}`;

/** Parses percent text as millionths, signed if allowed; null when invalid. */
export function readPpm(text: string, isSigned = false): number | null {
  const match = /^(-?)(.+)$/.exec(text.trim().replace("−", "-").replace(",", "."));
  if (match === null || (match[1] === "-" && !isSigned)) return null;
  const units = parseDecimal(match[2] ?? "", 4);
  if (units === null || units > MAX_PPM) return null;
  return match[1] === "-" ? -Number(units) : Number(units);
}

export const filledForm = (
  known: Pick<TradingCosts, CostField>,
  money: string,
): AssumptionForm => ({
  money,
  costs: {
    feePpm: ppmText(known.feePpm),
    halfSpreadPpm: ppmText(known.halfSpreadPpm),
    impactPpm: ppmText(known.impactPpm),
    fundingPpmPerDay: ppmText(known.fundingPpmPerDay),
  },
});

/** Returns the parsed assumptions, or the fields that are invalid. */
export function readForm(
  form: AssumptionForm,
  quoteDecimals: number,
):
  | { readonly ok: true; readonly value: Assumptions }
  | { readonly ok: false; readonly wrong: readonly string[] } {
  const money = readTypedNumber(form.money, quoteDecimals);
  const startMoney = money.kind === "number" ? parseDecimal(money.text, quoteDecimals) : null;
  const costs = COST_FIELDS.map(
    (field) => [field, readPpm(form.costs[field], field === "fundingPpmPerDay")] as const,
  );
  const wrong = [
    ...(startMoney === null || startMoney === 0n ? ["money"] : []),
    ...costs.flatMap(([field, ppm]) => (ppm === null ? [field] : [])),
  ];
  return startMoney === null || wrong.length > 0
    ? { ok: false, wrong }
    : { ok: true, value: { startMoney, costs: Object.fromEntries(costs) } };
}
