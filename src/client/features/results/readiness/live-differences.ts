import type { Agent } from "../../../../contract/agent.ts";
import { FIRST_LIVE_DAY_LOSS_BPS, FIRST_LIVE_SIZE_PERCENT } from "../../../../domain/readiness.ts";
import type { Network } from "../../../../domain/network.ts";
import { VENUE_PROFILES } from "../../../../venues/profiles.ts";
import type { Deployment } from "../../../queries/deployment.ts";

/** A real network that an agent can go live on, or why it cannot. */
export interface LiveChoice {
  readonly network: Network;
  /** Null where nothing stands in the way. */
  readonly obstacle: string | null;
}

/** Returns the real networks of a deployment with what stands in the way of an agent there. */
export function liveChoices(
  { venue, marketId }: Pick<Agent, "venue" | "marketId">,
  networks: Deployment["networks"],
): LiveChoice[] {
  const { label, markets } = VENUE_PROFILES[venue];
  return networks.flatMap(({ network, venues }) => {
    if (network === "practice" || network === "paper") return [];
    const offered = venues.find((each) => each.venue === venue);
    const isTraded = markets.some((market) => market.marketId === marketId);
    const obstacle =
      offered === undefined
        ? `${label} is not offered there.`
        : isTraded
          ? null
          : `${label} does not trade ${marketId}.`;
    return [{ network, obstacle }];
  });
}

/** Returns what differs between an agent with play money and its copy with real money, one sentence each. */
export function liveDifferences(
  agent: Pick<
    Agent,
    "venue" | "network" | "positionSizePercent" | "limits" | "plan" | "slippagePercent"
  >,
  offered: Deployment["networks"][number] | undefined,
): string[] {
  const { kind, sides, label, hasSpendingLimits } = VENUE_PROFILES[agent.venue];
  const venue = offered?.venues.find((each) => each.venue === agent.venue);
  const size = Math.min(agent.positionSizePercent, FIRST_LIVE_SIZE_PERCENT);
  const loss = Math.min(
    agent.limits?.dayLossBps ?? FIRST_LIVE_DAY_LOSS_BPS,
    FIRST_LIVE_DAY_LOSS_BPS,
  );
  const before = agent.limits?.dayLossBps;
  return [
    `Position size ${size}% instead of ${agent.positionSizePercent}%.`,
    `Largest loss a day ${loss / 100}%, ${before === undefined ? "where none was set" : `before ${before / 100}%`}.`,
    "No money is in it and Auto-Trade is off: set-up, deposit and turning on are signed by your wallet as for any new agent.",
    agent.network === "paper"
      ? "Paper fills at live prices with the practice market's spread, impact and funding; there, orders meet the venue's own."
      : "Practice made its prices up; there, they are the market's.",
    `Slippage stays ${agent.slippagePercent}%: an entry beyond it does not fill.`,
    ...(sides.includes("short")
      ? []
      : [`${label} is ${kind} only: no short position, no leverage.`]),
    ...(hasSpendingLimits
      ? ["The trading key needs daily limits, which your wallet approves."]
      : []),
    ...(agent.plan === undefined
      ? []
      : [
          "Its plan is watched by this server every 5 s; no stop rests at the venue, and none holds while the server is off.",
        ]),
    "Set-up and transactions cost SOL there.",
    ...(venue !== undefined && venue.status !== "available" && venue.status !== "unread"
      ? [`${label} is ${venue.status} there now${venue.reason ? `: ${venue.reason}` : "."}`]
      : []),
    ...(venue?.issued ?? []).map(
      ({ symbol, powers }) =>
        `The issuer of ${symbol} can: ${powers.join(", ").replaceAll("_", " ")}.`,
    ),
  ];
}
