import type { Agent } from "../contract/agent.ts";
import { listAlerts } from "../contract/alerts.ts";
import { type CustodyAccess, getCustodyAccess } from "../contract/custody.ts";
import { listRules } from "../contract/rules.ts";
import { parseDecimal } from "../domain/amount.ts";
import type { Market } from "../domain/market.ts";
import { nameKey } from "../domain/name-key.ts";
import { DEFAULT_SLIPPAGE_BPS, formatSlippagePercent } from "../domain/slippage.ts";
import { DEFAULT_VENUE } from "../domain/venue-id.ts";
import type { DailyLimits, SimulatedAgent } from "../strategy/simulation.ts";
import { VENUE_PROFILES } from "../venues/profiles.ts";
import type { AgentProposal } from "./agent-proposal.ts";
import type { CallRoute } from "./simulate-agent.ts";
import { simulatedAgent } from "./simulated-agent.ts";

/** Part of the custody access that contains the limits. */
interface ReadLimits {
  readonly quoteSymbol: string;
  readonly limits:
    | readonly Pick<NonNullable<CustodyAccess["limits"]>[number], "symbol" | "amount" | "period">[]
    | null;
}

/**
 * Returns what a trading key may move a day in one market, as its owner approved it.
 *
 * Null unless both limits, of the quote token and of the asset, are known and daily.
 */
export function dailyLimitsOf(access: ReadLimits | null, market: Market): DailyLimits | null {
  const amountOf = (symbol: string, decimals: number): bigint | null => {
    const limit = access?.limits?.find((each) => each.symbol === symbol && each.period === "day");
    return limit === undefined ? null : parseDecimal(limit.amount, decimals);
  };
  const quote = amountOf(access?.quoteSymbol ?? "", VENUE_PROFILES[market.venue].quote.decimals);
  const base = amountOf(market.marketId, market.baseDecimals);
  return quote === null || base === null ? null : { quote, base };
}

export const hasDailyLimits = (agent: Pick<Agent, "venue"> | null): agent is Agent =>
  agent !== null && VENUE_PROFILES[agent.venue].hasSpendingLimits;

/** Returns an agent's daily limits in a market; null also when they cannot be read. */
async function fetchDailyLimits(
  call: CallRoute,
  agent: Agent | null,
  market: Market,
): Promise<DailyLimits | null> {
  if (!hasDailyLimits(agent)) return null;
  const access = await call(getCustodyAccess, { params: { agentId: agent.id } }).catch(() => null);
  return dailyLimitsOf(access, market);
}

/** Returns venue and market that a proposal means; the market is empty where the venue does not trade its asset. */
export function proposedMarket(
  { venue: named, asset }: Pick<AgentProposal, "venue" | "asset">,
  agent: Pick<Agent, "venue" | "marketId"> | null,
) {
  const venue = named ?? agent?.venue ?? DEFAULT_VENUE;
  if (asset === undefined) return { venue, marketId: agent?.marketId ?? "" };
  const symbol = asset.toUpperCase().replace(/-PERP$/, "");
  const { markets } = VENUE_PROFILES[venue];
  const market = markets.find((each) => each.asset.toUpperCase() === symbol);
  return { venue, marketId: market?.marketId ?? "" };
}

/**
 * Returns the agent a proposal would trade; fields it leaves out are those of the given agent.
 *
 * Null when its market or interval is invalid.
 */
export async function proposedAgent(
  proposal: AgentProposal,
  agent: Agent | null,
  call: CallRoute,
): Promise<SimulatedAgent | null> {
  const [alerts, rules] =
    agent === null
      ? [[], []]
      : await Promise.all([
          call(listAlerts, { params: { agentId: agent.id } }),
          call(listRules, { params: { agentId: agent.id } }),
        ]);
  const proposed = proposal.alerts ?? [];
  const isProposed = (name: string) =>
    proposed.some((alert) => nameKey(alert.name) === nameKey(name));
  const described = {
    ...proposedMarket(proposal, agent),
    interval: proposal.interval ?? agent?.interval ?? "1h",
    positionSizePercent: proposal.positionSizePercent ?? agent?.positionSizePercent ?? 100,
    slippagePercent: Number(
      proposal.slippagePercent ??
        agent?.slippagePercent ??
        formatSlippagePercent(DEFAULT_SLIPPAGE_BPS),
    ),
    limits: agent?.limits,
    plan: proposal.plan === undefined ? agent?.plan : (proposal.plan ?? undefined),
    leverage: proposal.leverage ?? agent?.leverage,
  };
  const kept = alerts.filter(({ name }) => !isProposed(name));
  const wanted =
    proposal.rules?.map(({ action, portion, conditions }) => ({
      action,
      portion,
      conditions: conditions.map(({ alert, times }) => ({
        alertName: alert,
        requiredCount: times,
      })),
    })) ?? rules;
  const simulated = simulatedAgent(described, [...kept, ...proposed], wanted);
  if (simulated === null) return null;
  const dailyLimits = await fetchDailyLimits(call, agent, simulated.market);
  return { ...simulated, dailyLimits };
}
