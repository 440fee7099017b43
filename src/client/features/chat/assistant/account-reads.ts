import { type Portfolio, getPortfolio } from "../../../../contract/portfolio.ts";
import { type Performance, getPerformance } from "../../../../contract/performance.ts";
import { read } from "../../../queries/read.ts";
import * as z from "zod/mini";
import { type Range, RANGES } from "../../../../domain/performance/range.ts";
import { displayDecimal, formatShare } from "../../../lib/format.ts";
import { type AgentRead, agentOf } from "./agent-read.ts";
import type { ToolResult } from "./answer-text.ts";

const rangeArgs = z.object({ range: z._default(z.enum(RANGES), "30d") });

const rangeParameters = {
  type: "object",
  properties: { range: { type: "string", enum: RANGES } },
};

const RANGE_WORDS: Readonly<Record<Range, string>> = {
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
  "1y": "a year",
  all: "since the beginning",
};

/** Forces a refetch, so that the model never gets an outdated figure as current. */
const fresh = { staleTime: 0 } as const;

const moneyIn = (symbol: string) => (text: string | null) =>
  text === null ? "–" : `${displayDecimal(text, 2)} ${symbol}`;

/** Reads of what the agents' money became, from the ledger. The page shows the figures itself, beside the answer. */
export const ACCOUNT_READS: readonly AgentRead[] = [
  {
    needsAgent: true,
    tool: {
      name: "read_performance",
      description:
        "What the agent's account made in a range: returns, drawdown, realised and open PnL, costs, trades. Figures are shown to the trader as they are.",
      parameters: rangeParameters,
    },
    async read(args, context) {
      const { range } = z.parse(rangeArgs, args);
      const { id, name } = agentOf(context);
      const { curve: _curve, ...data } = await context.queryClient.fetchQuery({
        ...read(context.owner, getPerformance, { params: { agentId: id }, query: { range } }),
        ...fresh,
      });
      const label = `your agent's performance, ${RANGE_WORDS[range]}`;
      const title = `Performance: ${name}, ${RANGE_WORDS[range]}`;
      return { label, data, result: performanceResult(title, data) };
    },
  },
  {
    needsAgent: false,
    tool: {
      name: "read_portfolio",
      description:
        "All agents of the wallet in a range: value of each and in total, what was made, exposure, deposits and withdrawals. Figures are shown to the trader as they are.",
      parameters: rangeParameters,
    },
    async read(args, { queryClient, owner }) {
      const { range } = z.parse(rangeArgs, args);
      const { networks } = await queryClient.fetchQuery({
        ...read(owner, getPortfolio, { params: { walletAddress: owner }, query: { range } }),
        ...fresh,
      });
      const data = networks.map(({ curve: _curve, agents, deleted, ...network }) => ({
        ...network,
        agents: agents.map(({ spark: _spark, chatId: _chat, ...agent }) => agent),
        deleted: deleted.map(({ spark: _spark, ...agent }) => agent),
      }));
      return { label: "your portfolio", data, result: portfolioResult(networks) };
    },
  },
];

function performanceResult(title: string, performance: Omit<Performance, "curve">): ToolResult {
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

function portfolioResult(networks: Portfolio["networks"]): ToolResult {
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
