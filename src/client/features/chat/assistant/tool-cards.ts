import type { Range } from "../../../../domain/performance/range.ts";
import {
  explainTrade,
  listAgents,
  readAgent,
  readCandles,
  readHealth,
  readLedger,
  readPerformance,
  readPortfolio,
  readPosition,
  readSignals,
  readTrades,
} from "../../../../assistant/read-tools.ts";
import {
  listIndicators,
  previewCondition,
  simulateDraft,
  simulateGrid,
} from "../../../../assistant/simulate-tools.ts";
import type { AnyTool, DataOf } from "../../../../assistant/tool.ts";
import { displayDecimal, formatShare } from "../../../lib/format.ts";
import { type ToolResult, SIMULATED } from "./answer-text.ts";
import type { Measures } from "../../../../strategy/measures.ts";

const percent = (share: number | null): string =>
  share === null ? "–" : `${Math.abs(100 * share).toFixed(1)}%`;

const change = (share: number | null): string => formatShare(share, 1);

const plain = (value: number | null): string =>
  value === null ? "–" : value.toFixed(2).replace("-", "−");

interface SimulatedOf {
  readonly asset: string;
  readonly intervalMinutes: number;
  readonly days: number;
  readonly source: string;
  readonly measures: Measures;
  readonly warnings: readonly string[];
}

/** Returns a simulation's key figures and all its warnings for the chat. */
export function simulationResult(run: SimulatedOf): ToolResult {
  const { asset, intervalMinutes, days, source, measures, warnings } = run;
  const minutes = intervalMinutes < 60 ? `${intervalMinutes}m` : `${intervalMinutes / 60}h`;
  return {
    title: `${SIMULATED}${asset}, ${minutes}, ${days} days, ${source}`,
    figures: [
      ["Return", change(measures.totalReturn)],
      ["Holding", change(measures.holdingReturn)],
      ["Deepest fall", percent(measures.maxDrawdown)],
      ["Trades", `${measures.closedTrades}`],
      ["Won", percent(measures.hitRate)],
      ["Sharpe", plain(measures.sharpe)],
      ["Costs", percent(measures.costShare)],
      ["In a position", percent(measures.exposure)],
    ],
    notes: [...warnings],
  };
}

/** How the page tells of a tool's answer. */
interface Card<Data> {
  /** Name of what was read, in the answer. */
  readonly label: (data: Data, args: Readonly<Record<string, unknown>>) => string;
  /** Computed figures that the answer shows verbatim, beside the model's text. */
  readonly result?: (data: Data) => ToolResult;
}

// oxlint-disable-next-line no-explicit-any -- each card takes what its own tool answers
const CARDS = new Map<AnyTool, Card<any>>();

const card = <T extends AnyTool>(tool: T, shown: Card<DataOf<T>>) => CARDS.set(tool, shown);

type PerformanceData = DataOf<typeof readPerformance>;
type PortfolioData = DataOf<typeof readPortfolio>;

const counted = (count: number, name: string): string =>
  `${count} ${name}${count === 1 ? "" : "s"}`;

const RANGE_WORDS: Readonly<Record<Range, string>> = {
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
  "1y": "a year",
  all: "since the beginning",
};

const moneyIn = (symbol: string) => (text: string | null) =>
  text === null ? "–" : `${displayDecimal(text, 2)} ${symbol}`;

function performanceResult(title: string, performance: PerformanceData): ToolResult {
  const { quote, returns, fall, money, trades, gaps, unbooked } = performance;
  const shown = moneyIn(quote.symbol);
  return {
    title,
    figures: [
      ["Return", formatShare(returns.timeWeighted)],
      ["Money-weighted", formatShare(returns.moneyWeighted)],
      ["Deepest fall", fall === null ? "–" : formatShare(-fall.depth)],
      ["Realised", shown(money.realised)],
      ["Open", shown(money.unrealised)],
      ["Fees", shown(money.fees)],
      ["Funding", shown(money.funding)],
      ["Trades won", `${trades.wins} of ${trades.known}`],
    ],
    notes: [
      ...(unbooked === 0
        ? []
        : [`${unbooked} transactions are not final yet: in money and trades, not in returns.`]),
      ...(gaps.length === 0
        ? []
        : ["The account's value is unknown for a part of the range while a position was open."]),
    ],
  };
}

const agentCount = (count: number) => `${count} ${count === 1 ? "agent" : "agents"}`;

function portfolioResult(networks: PortfolioData["networks"]): ToolResult {
  return {
    title: "Portfolio",
    figures: networks.flatMap(({ network, quote, total, made }) => {
      const shown = moneyIn(quote.symbol);
      const madeIn = (part: (typeof made)[keyof typeof made]) => shown(part?.amount ?? null);
      const of = networks.length > 1 ? `, ${network}` : "";
      return [
        [`Total${of}`, shown(total)],
        [`Today${of}`, madeIn(made.today)],
        [`7 days${of}`, madeIn(made.week)],
        [`All${of}`, madeIn(made.all)],
      ];
    }),
    notes: networks.flatMap(({ unread, unbooked, agents }) => [
      ...(unbooked === 0
        ? []
        : [`Money of ${agentCount(unbooked)} is on its way and in no figure of what was made.`]),
      ...(unread === 0
        ? []
        : [`The value of ${agentCount(unread)} could not be read; the last recorded one is used.`]),
      ...agents.flatMap(({ name, attention }) => attention.map((each) => `${name}: ${each}`)),
    ]),
  };
}

card(listAgents, { label: () => "your agents" });
card(readAgent, { label: () => "your agent's configuration and counters" });
card(readHealth, { label: () => "your agent's health" });
card(readPosition, {
  label: (data) => ("note" in data ? "your position" : "your position and P&L"),
});
card(readTrades, { label: ({ trades }) => `your last ${counted(trades.length, "trade")}` });
card(readSignals, {
  label: ({ signals }) => `your last ${counted(signals.length, "received signal")}`,
});
card(explainTrade, {
  label: (_data, { number }) => `why decision ${JSON.stringify(number ?? 1)} came to be`,
});
card(readPerformance, {
  label: ({ range }) => `your agent's performance, ${RANGE_WORDS[range]}`,
  result: (data) =>
    performanceResult(`Performance: ${data.agent}, ${RANGE_WORDS[data.range]}`, data),
});
card(readPortfolio, {
  label: () => "your portfolio",
  result: ({ networks }) => portfolioResult(networks),
});
card(readLedger, { label: () => "your agent's ledger" });
card(readCandles, {
  label: ({ candles, source }, { symbol, interval }) =>
    `${counted(candles.length, "candle")} of ${symbol as string}, ${interval as string}, from ${source}`,
});
card(listIndicators, { label: () => "the indicators conditions can use" });
card(previewCondition, {
  label: ({ condition, asset, interval }) =>
    `how often "${condition}" would have fired on ${asset}, ${interval}`,
  result: ({ condition, asset, interval, source, fired, days, last }) => ({
    title: `${condition}: ${asset}, ${interval}, ${source}`,
    figures: [
      ["Fired", `${fired} times`],
      ["Within", `${days} days`],
      ["Last", last.at(-1)?.at.slice(0, 10) ?? "never"],
    ],
    notes: [],
  }),
});
card(simulateDraft, {
  label: ({ days }) => `a simulation of ${days} days`,
  result: simulationResult,
});
card(simulateGrid, {
  label: ({ days, variants }) => `${variants.length} simulated variants of ${days} days`,
});

const PROPOSED = "what it proposes, for you to approve under Proposals";

/** Returns how an answer of a tool is told; one without a card is named by its title. */
export function toldOf(tool: AnyTool, data: unknown, args: Readonly<Record<string, unknown>>) {
  const shown = CARDS.get(tool);
  return {
    label: shown?.label(data, args) ?? (tool.scope === "propose" ? PROPOSED : tool.title),
    result: shown?.result?.(data),
  };
}
