import type * as z from "zod/mini";
import type { agent } from "../../contract/agent.ts";
import type { SentOwnerLimits } from "../../contract/owner-limit-fields.ts";
import type { NearLimit, TradingCondition } from "../../contract/trading-condition.ts";
import type { Network } from "../../domain/network.ts";
import type { VenueId } from "../../domain/venue-id.ts";

type WireAgent = z.infer<typeof agent>;

/** An agent as the page speaks of it. */
export interface Agent {
  readonly id: string;
  readonly chatId: string;
  /** Wallet that owns it. */
  readonly owner: string;
  readonly name: string;
  /** For instance SOL-PERP. */
  readonly marketId: string;
  /** Like 30m or 1h. */
  readonly interval: string;
  readonly venue: VenueId;
  readonly network: Network;
  /** `stopping` from the click on "off" until every position is closed. */
  readonly autoTrade: "on" | "stopping" | "off";
  /** There when turning it off closed a position. */
  readonly closedByStop?: true | undefined;
  /** Absent while nothing limits what it may do and no exit is in work. */
  readonly trading?: TradingCondition | undefined;
  /** Absent while it is close to none of its limits. */
  readonly nearLimits?: readonly NearLimit[] | undefined;
  /** For instance 0.5. */
  readonly slippagePercent: number;
  readonly positionSizePercent: number;
  readonly maxSignalAgeSeconds: number;
  /** What the owner allows it; absent where no limit is set. */
  readonly limits?: SentOwnerLimits | undefined;
  /** Has a trading account, made by its first deposit. */
  readonly isFunded: boolean;
  /** Absent until it was attached. */
  readonly custody?: AgentCustody | undefined;
  /** A hypothesis is written about each of its trades. */
  readonly writesHypotheses: boolean;
  readonly buyReportPrompt: string;
  readonly sellReportPrompt: string;
  /** When it, its alerts or its rules were last changed. */
  readonly updatedAt: string;
}

interface AgentCustody {
  readonly status: "planned" | "active" | "deleting" | "closed";
  /** Its trading key may trade. */
  readonly isDelegated: boolean;
}

/** Returns an agent of an answer in the page's own words. */
export function toAgent({
  botId,
  pubkey,
  agentName,
  assetPair,
  tradingStatus,
  stopping,
  slippageTolerance,
  number = -1,
  squadsMultisig,
  hypothesisStatus,
  ...alike
}: WireAgent): Agent {
  return {
    ...alike,
    id: botId,
    owner: pubkey,
    name: agentName,
    marketId: assetPair,
    autoTrade: stopping ? "stopping" : tradingStatus,
    slippagePercent: slippageTolerance,
    isFunded: number >= 0,
    custody: squadsMultisig && {
      status: squadsMultisig.status,
      isDelegated: squadsMultisig.venueConfig.delegated,
    },
    writesHypotheses: hypothesisStatus === "on",
  };
}
