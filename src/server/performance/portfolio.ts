import type { Agent } from "../../contract/agent.ts";
import type { Portfolio } from "../../contract/portfolio.ts";
import { formatDecimal, ratioOf } from "../../domain/amount.ts";
import type { AgentId, OwnerAddress } from "../../domain/ids.ts";
import { assetOf, VENUE_PROFILES } from "../../venues/profiles.ts";
import {
  type Range,
  rangeStart,
  evenSampleTimes,
  midnightBefore,
} from "../../domain/performance/range.ts";
import { type ShowDeps, showAgents } from "../agents/show-agents.ts";
import { LAMPORT_DECIMALS } from "../custody/account/custody-limits.ts";
import { readOwner } from "../custody/account/custody-context.ts";
import type { NetworkRuntime } from "../networks.ts";
import type { AccountReader, AccountSnapshot } from "../positions/account-reader.ts";
import { presentPending } from "../ledger/list-transactions.ts";
import { findOpenFlows, listUnbooked } from "../store/ledger/pending-entries.ts";
import { type AgentRecord, listAgentsOf } from "../store/agents/agents.ts";
import { type CustodyAgent, listCustodyAgents } from "../store/custody/multisigs.ts";
import {
  type DeletedAgent,
  listDeletedAgents,
  listFlows,
  readFirstPoint,
  readFlowPoints,
  readWorthAt,
  sumInflows,
} from "../store/ledger/portfolio.ts";
import {
  type AgentWorth,
  combinedCurve,
  madeSince,
  sparklineOf,
  worthOfDeleted,
  worthNow,
} from "./portfolio-worth.ts";
import { DEFAULT_VENUE } from "../../domain/venue-id.ts";

export interface PortfolioDeps extends ShowDeps {
  readonly accounts: AccountReader;
}

type ShownNetwork = Portfolio["networks"][number];

const DAY_MS = 86_400_000;
const SHOWN_FLOWS = 20;
const SHOWN_PENDING = 20;

const byTime = (one: { readonly at: string }, other: { readonly at: string }): number =>
  Date.parse(one.at) - Date.parse(other.at);

const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Returns the holdings and performance of a wallet's agents, per network, never summed across networks. */
export async function showPortfolio(
  deps: PortfolioDeps,
  owner: OwnerAddress,
  range: Range,
): Promise<Portfolio> {
  const nowMs = deps.clock.now();
  const [records, custody] = await Promise.all([
    listAgentsOf(deps.db, owner),
    listCustodyAgents(deps.db, owner),
  ]);
  const networks = [...deps.networks.values()].map((runtime) =>
    showNetwork(deps, runtime, { owner, range, nowMs, records, custody }),
  );
  return { at: isoOf(nowMs), networks: await Promise.all(networks) };
}

interface PortfolioQuery {
  readonly owner: OwnerAddress;
  readonly range: Range;
  readonly nowMs: number;
  readonly records: readonly AgentRecord[];
  readonly custody: readonly CustodyAgent[];
}

async function showNetwork(
  deps: PortfolioDeps,
  runtime: NetworkRuntime,
  { owner, range, nowMs, ...all }: PortfolioQuery,
): Promise<ShownNetwork> {
  const { network } = runtime;
  const records = all.records.filter((agent) => agent.network === network);
  const custody = all.custody.filter((agent) => agent.network === network);
  const quote = quoteOf(runtime);
  const [firstMs, deleted] = await Promise.all([
    readFirstPoint(deps.db, owner, network),
    listDeletedAgents(deps.db, owner, network),
  ]);
  const begunMs = Math.max(rangeStart(range, nowMs) ?? 0, firstMs ?? nowMs);
  const marks =
    firstMs === null ? [] : evenSampleTimes(begunMs, nowMs, records.length + deleted.length);
  const spans = {
    today: midnightBefore(nowMs),
    week: nowMs - 7 * DAY_MS,
    month: nowMs - 30 * DAY_MS,
    all: 0,
  };
  const ids = records.map(({ id }) => id);
  const asked = [...new Set([...marks, ...Object.values(spans), nowMs])];
  const [worth, moved, inflows, snapshots, shown, flows, wallet, unbooked, openFlows] =
    await Promise.all([
      readWorthAt(deps.db, [...ids, ...deleted.map(({ id }) => id)], asked),
      readFlowPoints(deps.db, owner, network, marks[0] ?? nowMs),
      sumInflows(deps.db, owner, network, quote.symbol, Object.values(spans)),
      deps.accounts.read(custody),
      showAgents(deps, records),
      listFlows(deps.db, owner, network, SHOWN_FLOWS),
      readWallet(runtime, owner),
      listUnbooked(deps.db, { owner, network }),
      findOpenFlows(deps.db, ids),
    ]);
  const pending = unbooked.map(presentPending).toSorted(byTime);
  const read = new Map(custody.map((agent, at) => [agent.agentId, snapshots[at] ?? null]));
  const flowsOf = (id: AgentId) => ({
    flows: moved.get(id) ?? [],
    inflows: inflows.get(id) ?? new Map(),
  });
  const worths = new Map(
    records.map(({ id, subAccountId }) => [
      id,
      {
        ...worthNow(
          worth.get(id) ?? new Map(),
          { snapshot: read.get(id) ?? null, hasOpenFlow: openFlows.has(id) },
          subAccountId === null,
          nowMs,
        ),
        ...flowsOf(id),
      },
    ]),
  );
  const gone = deleted.map((agent) => ({
    agent,
    worth: worthOfDeleted(worth.get(agent.id) ?? new Map(), flowsOf(agent.id), agent.deletedAtMs),
  }));
  const every = [...worths.values(), ...gone.map((each) => each.worth)];
  const total = every.some(({ value }) => value === null)
    ? null
    : every.reduce((sum, { value }) => sum + (value ?? 0n), 0n);
  const measured = { marks, todayMs: spans.today, nowMs, decimals: quote.decimals };
  const text = (units: bigint) => formatDecimal(units, quote.decimals);
  const made = (mark: number) => madeSince(every, mark, nowMs, quote.decimals);
  return {
    network,
    quote,
    total: total === null ? null : text(total),
    unread: every.filter(({ value, sinceMs }) => value === null || sinceMs !== null).length,
    unbooked: ids.filter((id) => openFlows.has(id) || worths.get(id)?.isUnbooked === true).length,
    made: {
      today: made(spans.today),
      week: made(spans.week),
      month: made(spans.month),
      all: made(spans.all),
    },
    curve: combinedCurve(every, marks, nowMs, quote.decimals),
    agents: shown.map((agent) => portfolioAgent(agent, worths, { ...measured, total })),
    deleted: gone.map((each) => deletedAgent(each.agent, each.worth, measured)),
    exposure: exposureOf([...read.values()], text),
    wallet,
    pending: pending.slice(0, SHOWN_PENDING),
    pendingCount: pending.length,
    flows: flows.map(shownFlow),
  };
}

/** Returns the exposure per asset, long and short separately, the largest first. */
function exposureOf(
  snapshots: readonly (AccountSnapshot | null)[],
  text: (units: bigint) => string,
): ShownNetwork["exposure"] {
  const sums = new Map<string, { long: bigint; short: bigint }>();
  for (const { marketId, side, positionValue } of snapshots.flatMap(
    (snapshot) => snapshot?.state.positions ?? [],
  )) {
    const sum = sums.get(assetOf(marketId)) ?? { long: 0n, short: 0n };
    sum[side] += positionValue < 0n ? -positionValue : positionValue;
    sums.set(assetOf(marketId), sum);
  }
  return [...sums]
    .toSorted(([, a], [, b]) => (a.long + a.short < b.long + b.short ? 1 : -1))
    .map(([asset, { long, short }]) => ({ asset, long: text(long), short: text(short) }));
}

async function readWallet(
  { chain, venues }: NetworkRuntime,
  owner: OwnerAddress,
): Promise<ShownNetwork["wallet"]> {
  const quote = venues.values().next().value?.instance.quote;
  if (quote === undefined) return null;
  const assets = [...venues.values()].flatMap(({ instance }) => instance.assets ?? []);
  const held = await readOwner(chain, owner, quote.mint, assets);
  return held === null
    ? null
    : {
        sol: formatDecimal(held.ownerLamports, LAMPORT_DECIMALS),
        quote: formatDecimal(held.ownerQuote, quote.decimals),
        assets: held.assets.map(({ asset, held: amount }) => ({
          symbol: asset.marketId,
          amount: formatDecimal(amount, asset.decimals),
        })),
      };
}

function quoteOf({ venues }: NetworkRuntime): ShownNetwork["quote"] {
  const opened = venues.values().next().value?.instance.quote;
  const { symbol, decimals } = opened ?? VENUE_PROFILES[DEFAULT_VENUE].quote;
  return { symbol, decimals };
}

interface Measured {
  /** Sum over all agents of the network; null when one of them was never read. */
  readonly total: bigint | null;
  readonly marks: readonly number[];
  readonly todayMs: number;
  readonly nowMs: number;
  readonly decimals: number;
}

/** Returns an agent's portfolio entry: its equity, its profit, and what needs its owner's attention. */
function portfolioAgent(
  agent: Agent,
  worths: ReadonlyMap<string, AgentWorth>,
  { total, marks, todayMs, nowMs, decimals }: Measured,
): ShownNetwork["agents"][number] {
  const of = worths.get(agent.id);
  const isUnread = of === undefined || of.value === null || of.sinceMs !== null;
  return {
    id: agent.id,
    chatId: agent.chatId,
    name: agent.name,
    marketId: agent.marketId,
    state: stateOf(agent),
    value: of?.value == null ? null : formatDecimal(of.value, decimals),
    ...(of?.sinceMs == null ? {} : { valueSince: new Date(of.sinceMs).toISOString() }),
    share: of?.value == null || total === null || total <= 0n ? null : ratioOf(of.value, total),
    today: of === undefined ? null : madeSince([of], todayMs, nowMs, decimals),
    ...(of === undefined ? { spark: [], drawdown: null } : sparklineOf(of, marks, nowMs)),
    attention: attentionOf(agent, isUnread),
  };
}

/** Returns a deleted agent's portfolio entry. */
function deletedAgent(
  { id, name, marketId, deletedAtMs }: DeletedAgent,
  worth: AgentWorth,
  { marks, todayMs, nowMs, decimals }: Omit<Measured, "total">,
): ShownNetwork["deleted"][number] {
  return {
    id,
    name,
    marketId,
    deletedAt: new Date(deletedAtMs).toISOString(),
    all: madeSince([worth], 0, nowMs, decimals),
    today: madeSince([worth], todayMs, nowMs, decimals),
    ...sparklineOf(worth, marks, nowMs),
  };
}

function shownFlow(
  flow: Awaited<ReturnType<typeof listFlows>>[number],
): ShownNetwork["flows"][number] {
  return {
    at: new Date(flow.atMs).toISOString(),
    agentId: flow.agentId,
    kind: flow.kind === "deposit" || flow.kind === "withdrawal" ? flow.kind : "outside",
    amount: formatDecimal(flow.amount, flow.decimals),
    asset: flow.asset,
  };
}

function stateOf({ trading, autoTrade }: Agent) {
  if (trading?.state === "halted") return "halted";
  if (autoTrade === "stopping") return "stopping";
  if (trading?.state === "exiting") return "closing";
  if (trading?.state === "reducing") return "reducing";
  return autoTrade;
}

function attentionOf(agent: Agent, isUnread: boolean): string[] {
  const hasAccount = agent.subAccountId !== undefined;
  return [
    ...(agent.trading === undefined ? [] : [agent.trading.reason]),
    ...(hasAccount ? [] : ["It has no trading account yet: make the first deposit."]),
    ...(hasAccount && isUnread ? ["Its venue cannot be read at the moment."] : []),
    ...(agent.custody?.status === "deleting" ? ["Its deletion is not finished."] : []),
  ];
}
