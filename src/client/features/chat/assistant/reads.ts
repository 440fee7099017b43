import { getPosition } from "../../../../contract/trade.ts";
import { listRules } from "../../../../contract/rules.ts";
import { listSignals } from "../../../../contract/signals.ts";
import { listAlerts } from "../../../../contract/alerts.ts";
import { read } from "../../../queries/read.ts";
import * as z from "zod/mini";
import { CANDLE_INTERVALS } from "../../../../domain/candle-interval.ts";
import type { AiTool } from "../../../lib/ai/ai-provider.ts";
import { candlesQuery } from "../../../queries/candles.ts";
import { tradeLogQuery } from "../../../queries/trade-log.ts";
import { type AgentRead, agentOf, type ReadContext } from "./agent-read.ts";
import type { ToolResult } from "./answer-text.ts";

const MAX_ROWS = 50;
const limitArgs = z.object({
  limit: z._default(z.int().check(z.minimum(1), z.maximum(MAX_ROWS)), 20),
});
const candleArgs = z.object({
  symbol: z.string().check(z.regex(/^[A-Z0-9]{2,20}$/)),
  interval: z.enum(CANDLE_INTERVALS),
  limit: z._default(z.int().check(z.minimum(1), z.maximum(200)), 50),
});

const limitParameters = {
  type: "object",
  properties: { limit: { type: "integer", minimum: 1, maximum: MAX_ROWS } },
};
const noParameters = { type: "object", properties: {} };

/** Forces a refetch, so that the model never gets an outdated figure as current. */
const fresh = { staleTime: 0 } as const;

const counted = (count: number, name: string): string =>
  `${count} ${name}${count === 1 ? "" : "s"}`;

/** All read-only tools of the assistant. */
const READS: readonly AgentRead[] = [
  {
    needsAgent: true,
    tool: {
      name: "read_agent",
      description: "The agent's configuration, alerts, and rules with their counters.",
      parameters: noParameters,
    },
    async read(_args, context) {
      const { queryClient, owner } = context;
      const {
        owner: _owner,
        custody: _custody,
        chatId: _chat,
        subAccountId,
        ...agent
      } = agentOf(context);
      const [alerts, rules] = await Promise.all([
        queryClient.fetchQuery({
          ...read(owner, listAlerts, { params: { agentId: agent.id } }),
          ...fresh,
        }),
        queryClient.fetchQuery({
          ...read(owner, listRules, { params: { agentId: agent.id } }),
          ...fresh,
        }),
      ]);
      return {
        label: "your agent's configuration and counters",
        data: {
          ...agent,
          isFunded: subAccountId !== undefined,
          alerts: alerts.map(({ name, description }) => ({ name, description })),
          rules: rules.map(({ action, conditions }) => ({ action, conditions })),
        },
      };
    },
  },
  {
    needsAgent: true,
    tool: {
      name: "read_position",
      description: "The agent's position, P&L in percent and values in the quote asset.",
      parameters: noParameters,
    },
    async read(_args, context) {
      const { id, marketId, subAccountId } = agentOf(context);
      if (subAccountId === undefined) {
        return { label: "your position", data: { note: "No trading account yet." } };
      }
      const data = await context.queryClient.fetchQuery({
        ...read(context.owner, getPosition, { query: { agentId: id } }),
        ...fresh,
      });
      return {
        label: "your position and P&L",
        data: data.available
          ? { market: marketId, ...data }
          : { note: "The venue could not be read; the figures are unknown, not zero." },
      };
    },
  },
  {
    needsAgent: true,
    tool: {
      name: "read_trades",
      description: "The agent's last trades, newest first, failed ones with their reason.",
      parameters: limitParameters,
    },
    async read(args, context) {
      const { limit } = z.parse(limitArgs, args);
      const { entries } = await context.queryClient.fetchQuery({
        ...tradeLogQuery(context.owner, agentOf(context).chatId, "all"),
        ...fresh,
      });
      const data = entries
        .slice(0, limit)
        .map(({ id: _entry, signature: _signature, ...entry }) => entry);
      return { label: `your last ${counted(data.length, "trade")}`, data };
    },
  },
  {
    needsAgent: true,
    tool: {
      name: "read_signals",
      description: "The last alerts received for the agent, newest first, and what became of them.",
      parameters: limitParameters,
    },
    async read(args, context) {
      const { limit } = z.parse(limitArgs, args);
      const signals = await context.queryClient.fetchQuery({
        ...read(context.owner, listSignals, { params: { agentId: agentOf(context).id } }),
        ...fresh,
      });
      const data = signals.slice(0, limit).map(({ eventId: _event, orders, ...signal }) => ({
        ...signal,
        orders: orders.map(({ signal: action, status, reason }) => ({ action, status, reason })),
      }));
      return { label: `your last ${counted(data.length, "received signal")}`, data };
    },
  },
  {
    needsAgent: false,
    tool: {
      name: "read_candles",
      description:
        "Candles of a market, oldest first. Symbols are like SOLUSDT, BTCUSDT, ETHUSDT. " +
        "The source is named; practice market is play money, not a market price.",
      parameters: {
        type: "object",
        properties: {
          symbol: { type: "string" },
          interval: { type: "string", enum: CANDLE_INTERVALS },
          limit: { type: "integer", minimum: 1, maximum: 200 },
        },
        required: ["symbol", "interval"],
      },
    },
    async read(args, { queryClient, network }) {
      const of = z.parse(candleArgs, args);
      const { source, candles } = await queryClient.fetchQuery({
        ...candlesQuery({ ...of, network }),
        ...fresh,
      });
      return {
        label: `${counted(candles.length, "candle")} of ${of.symbol}, ${of.interval}, from ${source}`,
        data: { source, candles },
      };
    },
  },
];

/** Returns all reads; the evaluator and its indicators are large and load with the first question. */
async function allReads(): Promise<readonly AgentRead[]> {
  const [{ STRATEGY_READS }, { ACCOUNT_READS }] = await Promise.all([
    import("./strategy-reads.ts"),
    import("./account-reads.ts"),
  ]);
  return [...READS, ...ACCOUNT_READS, ...STRATEGY_READS];
}

/** Returns the tools offered to a model. */
export async function readTools({ agent }: Pick<ReadContext, "agent">): Promise<readonly AiTool[]> {
  const reads = await allReads();
  return reads.filter(({ needsAgent }) => !needsAgent || agent !== null).map(({ tool }) => tool);
}

/** Outcome of one read. */
interface ReadAnswer {
  readonly label: string | null;
  readonly output: string;
  readonly result?: ToolResult | undefined;
}

/** Maximum length of one tool result for the model, in characters. */
const MAX_OUTPUT = 40_000;

/** Runs a tool call of the model. Invalid and failed calls return their error to the model. */
export async function runRead(
  name: string,
  args: string,
  context: ReadContext,
): Promise<ReadAnswer> {
  const found = (await allReads()).find(({ tool }) => tool.name === name);
  if (!found) return { label: null, output: '{"error":"There is no such read."}' };
  try {
    const read = await found.read(JSON.parse(args === "" ? "{}" : args), context);
    const output = JSON.stringify(read.data);
    if (output.length > MAX_OUTPUT) return { label: null, output: '{"error":"It is too long."}' };
    return { label: read.label, output, result: read.result };
  } catch {
    return { label: null, output: '{"error":"This could not be read. Do not guess its figures."}' };
  }
}

const ALL_NAMES = [
  "read_agent",
  "read_position",
  "read_trades",
  "read_signals",
  "read_performance",
  "read_portfolio",
];

/** Reads all data about agent and wallet at once, for models without tool calls. */
export async function readAll(
  context: ReadContext,
): Promise<{ readonly labels: readonly string[]; readonly data: string }> {
  const offered = new Set((await readTools(context)).map(({ name }) => name));
  const names = ALL_NAMES.filter((name) => offered.has(name));
  const results = await Promise.all(names.map((name) => runRead(name, "{}", context)));
  return {
    labels: results.flatMap(({ label }) => (label === null ? [] : [label])),
    data: results.map(({ output }, at) => `${names[at] ?? ""}: ${output}`).join("\n"),
  };
}
