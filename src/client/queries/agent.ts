import type * as z from "zod/mini";
import type { agent } from "../../contract/agent.ts";
import type { SentOwnerLimits } from "../../contract/owner-limit-fields.ts";
import type { NearLimit, TradingCondition } from "../../contract/trading-condition.ts";
import type { AgentId, ChatId, OwnerAddress } from "../../domain/ids.ts";
import type { Network } from "../../domain/network.ts";
import type { VenueId } from "../../domain/venue-id.ts";

type WireAgent = z.infer<typeof agent>;

/** Agent in the client's terms. */
export interface Agent {
  readonly id: AgentId;
  readonly chatId: ChatId;
  /** Address of the owning wallet. */
  readonly owner: OwnerAddress;
  readonly name: string;
  /** For instance SOL-PERP. */
  readonly marketId: string;
  /** Like 30m or 1h. */
  readonly interval: string;
  readonly venue: VenueId;
  readonly network: Network;
  /** `stopping` from switching off until every position is closed. */
  readonly autoTrade: "on" | "stopping" | "off";
  /** Present when switching off closed a position. */
  readonly closedByStop?: true | undefined;
  /** Restriction or exit in progress; absent without one. */
  readonly trading?: TradingCondition | undefined;
  /** Limits the agent is close to; absent when none. */
  readonly nearLimits?: readonly NearLimit[] | undefined;
  /** For instance 0.5. */
  readonly slippagePercent: number;
  readonly positionSizePercent: number;
  readonly maxSignalAgeSeconds: number;
  /** Limits set by the owner; absent without any. */
  readonly limits?: SentOwnerLimits | undefined;
  /** True once the first deposit created the trading account. */
  readonly isFunded: boolean;
  /** Custody; absent until it was set up. */
  readonly custody?: AgentCustody | undefined;
  /** True when a hypothesis is written for each trade. */
  readonly writesHypotheses: boolean;
  readonly buyReportPrompt: string;
  readonly sellReportPrompt: string;
  /** Time of the last change of the agent, its alerts or its rules. */
  readonly updatedAt: string;
}

interface AgentCustody {
  readonly status: "planned" | "active" | "deleting" | "closed";
  /** True when the trading key is authorised to trade. */
  readonly hasTradingKey: boolean;
}

/** Converts a wire agent to the client's terms. */
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
      hasTradingKey: squadsMultisig.venueConfig.delegated,
    },
    writesHypotheses: hypothesisStatus === "on",
  };
}
