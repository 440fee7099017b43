import * as z from "zod/mini";
import type { Agent } from "../contract/agent.ts";
import { getAgentHealth } from "../contract/agent-health.ts";
import { listAlerts } from "../contract/alerts.ts";
import { listCandles } from "../contract/candles.ts";
import { listDecisions } from "../contract/decisions.ts";
import { DOCUMENTATION_PAGES, readDocumentation } from "../contract/documentation.ts";
import { serverId } from "../contract/fields.ts";
import { listAgentLedger } from "../contract/ledger.ts";
import { getPerformance } from "../contract/performance.ts";
import { getPortfolio } from "../contract/portfolio.ts";
import { listRules } from "../contract/rules.ts";
import { listSignals } from "../contract/signals.ts";
import { getPosition } from "../contract/trade.ts";
import { listTradeLog } from "../contract/trade-log.ts";
import { CANDLE_INTERVALS } from "../domain/candle-interval.ts";
import { LEDGER_KINDS } from "../domain/ledger/entry.ts";
import { RANGES } from "../domain/performance/range.ts";
import { agentField, agentOf, chatsPage, tool, ToolFault } from "./tool.ts";

const MAX_ROWS = 50;

const limitField = {
  limit: z._default(z.int().check(z.minimum(1), z.maximum(MAX_ROWS)), 20),
};

const rangeField = {
  range: z._default(z.enum(RANGES), "30d"),
};

const shortAgent = ({ id, name, marketId, interval, venue, network, autoTrade }: Agent) => ({
  id,
  name,
  market: marketId,
  interval,
  venue,
  network,
  autoTrade,
});

export const listAgents = tool({
  name: "list_agents",
  title: "List agents",
  description:
    "The owner's trading agents with their ids, markets and whether they trade (autoTrade: on, stopping, off). Begin here when no agent is known.",
  scope: "read",
  args: z.strictObject({
    after: z.optional(serverId),
  }),
  async run({ after }, context) {
    const { chats, next } = await chatsPage(context, after);
    const agents = chats.flatMap(({ id, agent }) =>
      agent === undefined ? [] : [{ ...shortAgent(agent), page: context.pageOf(id) }],
    );
    return { agents, next };
  },
});

export const readAgent = tool({
  name: "read_agent",
  title: "Read an agent",
  description:
    "The agent's configuration, limits, alerts, and rules with their counters; what restricts it now, and which limits are close.",
  scope: "read",
  args: z.strictObject(agentField),
  async run(args, context) {
    const {
      owner: _owner,
      custody: _custody,
      chatId,
      subAccountId,
      ...agent
    } = await agentOf(context, args.agent);
    const params = { agentId: agent.id };
    const [alerts, rules] = await Promise.all([
      context.call(listAlerts, { params }),
      context.call(listRules, { params }),
    ]);
    return {
      ...agent,
      isFunded: subAccountId !== undefined,
      alerts: alerts.map(({ name, description, condition }) => ({ name, description, condition })),
      rules: rules.map(({ action, portion, conditions }) => ({ action, portion, conditions })),
      page: context.pageOf(chatId),
    };
  },
});

export const readHealth = tool({
  name: "read_health",
  title: "Read an agent's health",
  description:
    "Whether the agent works: last alert, candles, venue, trading key, the book against the chain, orders without an outcome, time from alert to fill.",
  scope: "read",
  args: z.strictObject(agentField),
  async run({ agent }, context) {
    const { id } = await agentOf(context, agent);
    return context.call(getAgentHealth, { params: { agentId: id } });
  },
});

export const readPosition = tool({
  name: "read_position",
  title: "Read the position",
  description:
    "The agent's position (signed, in the asset), P&L in percent and values in the quote asset.",
  scope: "read",
  args: z.strictObject(agentField),
  async run(args, context) {
    const { id, marketId, subAccountId, chatId } = await agentOf(context, args.agent);
    if (subAccountId === undefined) return { note: "No trading account yet." };
    const data = await context.call(getPosition, { query: { agentId: id } });
    return data.available
      ? { market: marketId, ...data, page: context.pageOf(chatId) }
      : { note: "The venue could not be read; the figures are unknown, not zero." };
  },
});

export const readTrades = tool({
  name: "read_trades",
  title: "Read trades",
  description: "The agent's last trades, newest first, failed ones with their reason.",
  scope: "read",
  args: z.strictObject({
    ...agentField,
    ...limitField,
    before: z.optional(serverId),
  }),
  async run({ agent, limit, before }, context) {
    const { chatId } = await agentOf(context, agent);
    const query = { chatId, ...(before === undefined ? {} : { before }) };
    const entries = await context.call(listTradeLog, { query });
    const shown = entries.slice(0, limit);
    return {
      trades: shown.map(({ id: _id, signature: _signature, ...entry }) => entry),
      next: shown.length < entries.length ? shown.at(-1)?.id : undefined,
      page: context.pageOf(chatId),
    };
  },
});

export const readSignals = tool({
  name: "read_signals",
  title: "Read received alerts",
  description:
    "The last alerts received for the agent, newest first, what became of each and why. Names of alerts come from outside.",
  scope: "read",
  args: z.strictObject({ ...agentField, ...limitField }),
  async run({ agent, limit }, context) {
    const { id, chatId } = await agentOf(context, agent);
    const signals = await context.call(listSignals, { params: { agentId: id } });
    return {
      signals: signals.slice(0, limit).map(({ eventId: _event, orders, ...signal }) => ({
        ...signal,
        orders: orders.map(({ signal: action, status, reason }) => ({ action, status, reason })),
      })),
      page: context.pageOf(chatId),
    };
  },
});

export const explainTrade = tool({
  name: "explain_trade",
  title: "Explain a trade",
  description:
    "Why the agent traded or did not: alerts, counters, rule, account, every check, order, fill and outcome " +
    "as they were recorded. Number 1 is the newest.",
  scope: "read",
  args: z.strictObject({
    ...agentField,
    number: z._default(z.int().check(z.minimum(1), z.maximum(20)), 1),
    outcome: z.optional(z.enum(["traded", "denied"])),
  }),
  async run({ agent, number, outcome }, context) {
    const { id } = await agentOf(context, agent);
    const query = outcome === undefined ? {} : { outcome };
    const { decisions } = await context.call(listDecisions, { params: { agentId: id }, query });
    const decision = decisions[number - 1];
    if (decision === undefined) {
      throw new ToolFault(`There are only ${decisions.length} such decisions.`);
    }
    return decision;
  },
});

export const readPerformance = tool({
  name: "read_performance",
  title: "Read performance",
  description:
    "What the agent's account made in a range: returns, drawdown, realised and open PnL, costs, trades. Figures are shown to the trader as they are.",
  scope: "read",
  args: z.strictObject({ ...agentField, ...rangeField }),
  async run({ agent, range }, context) {
    const { id, name, chatId } = await agentOf(context, agent);
    const asked = { params: { agentId: id }, query: { range } };
    const { curve: _curve, ...data } = await context.call(getPerformance, asked);
    return { agent: name, range, ...data, page: context.pageOf(chatId) };
  },
});

export const readPortfolio = tool({
  name: "read_portfolio",
  title: "Read the portfolio",
  description:
    "All agents of the wallet in a range: value of each and in total, what was made, exposure, deposits and withdrawals. Figures are shown to the trader as they are.",
  scope: "read",
  args: z.strictObject(rangeField),
  async run({ range }, { call, owner }) {
    const asked = { params: { walletAddress: owner }, query: { range } };
    const { networks } = await call(getPortfolio, asked);
    return {
      networks: networks.map(({ curve: _curve, agents, deleted, ...network }) => ({
        ...network,
        agents: agents.map(({ spark: _spark, chatId: _chat, ...agent }) => agent),
        deleted: deleted.map(({ spark: _spark, ...agent }) => agent),
      })),
    };
  },
});

export const readLedger = tool({
  name: "read_ledger",
  title: "Read the ledger",
  description:
    "The agent's booked movements on chain, newest first: trades, fees, funding, deposits, withdrawals. Incoming amounts are positive.",
  scope: "read",
  args: z.strictObject({
    ...agentField,
    ...limitField,
    kind: z.optional(z.enum(LEDGER_KINDS)),
    cursor: z.optional(z.string().check(z.regex(/^\d{1,16}-\d{1,19}$/))),
  }),
  async run({ agent, ...query }, context) {
    const { id, chatId } = await agentOf(context, agent);
    const asked = { query: { agentId: id, ...query } };
    const { checks: _checks, ...page } = await context.call(listAgentLedger, asked);
    return { ...page, page: context.pageOf(chatId) };
  },
});

export const readCandles = tool({
  name: "read_candles",
  title: "Read candles",
  description:
    "Candles of a market, oldest first. Symbols are like SOLUSDT, BTCUSDT, ETHUSDT. " +
    "The source is named; practice market is play money, not a market price.",
  scope: "read",
  args: z.strictObject({
    symbol: z.string().check(z.regex(/^[A-Z0-9]{2,20}$/)),
    interval: z.enum(CANDLE_INTERVALS),
    limit: z._default(z.int().check(z.minimum(1), z.maximum(200)), 50),
  }),
  run: (of, { call, network }) => call(listCandles, { query: { ...of, network } }),
});

export const readDocumentationPage = tool({
  name: "read_documentation",
  title: "Read the documentation",
  description:
    "What the product's own pages say, for instance custody: who can do what with the money. Without a section: the introduction and the headings.",
  scope: "read",
  args: z.strictObject({
    page: z.enum(DOCUMENTATION_PAGES),
    section: z.optional(z.string().check(z.maxLength(100))),
  }),
  async run({ page, section }, context) {
    const { title, introduction, sections } = await context.call(readDocumentation, {
      params: { page },
    });
    const headings = sections.map(({ heading }) => heading);
    if (section === undefined) return { title, text: introduction, sections: headings };
    const found = sections[headings.indexOf(section)];
    if (found === undefined) {
      throw new ToolFault(`The page has these sections: ${headings.join("; ")}.`);
    }
    return { title, ...found };
  },
});
