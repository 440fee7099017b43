import * as z from "zod/mini";
import { renamed } from "./codec.ts";
import {
  agentId,
  chatId,
  isoTime,
  network,
  onOff,
  ownerAddress,
  venue,
  walletAddress,
} from "./fields.ts";
import { ownerLimits } from "./owner-limit-fields.ts";
import { leverage, plan } from "./plan.ts";
import { nearLimit, tradingCondition } from "./trading-condition.ts";

/** An agent's custody as read from the chain when it was attached. */
export const custody = renamed(
  z.strictObject({
    multisigPda: walletAddress,
    vaultPda: walletAddress,
    vaultIndex: z.int(),
    members: z.array(walletAddress),
    threshold: z.int(),
    status: z.enum(["planned", "active", "deleting", "closed"]),
    createdAt: isoTime,
    lastUsedAt: z.optional(isoTime),
    /** Whether the venue authorises the trading key by spending limits. */
    spendingLimitConfigured: z.boolean(),
    venueConfig: renamed(z.strictObject({ delegate: walletAddress, delegated: z.boolean() }), {
      delegate: "address",
      delegated: "isAuthorised",
    }),
    /** Accounts of the spending limits. */
    spendingLimitUSDC: z.optional(walletAddress),
    spendingLimitAsset: z.optional(walletAddress),
  }),
  {
    multisigPda: "multisig",
    vaultPda: "vault",
    spendingLimitConfigured: "hasLimits",
    venueConfig: "tradingKey",
    spendingLimitUSDC: "quoteLimit",
    spendingLimitAsset: "assetLimit",
  },
);

export type Custody = z.infer<typeof custody>;

const agentOnWire = renamed(
  z.strictObject({
    botId: agentId,
    chatId,
    agentName: z.string(),
    /** For instance SOL-PERP. */
    assetPair: z.string(),
    /** Like 30m or 1h. */
    interval: z.string(),
    venue,
    network,
    pubkey: ownerAddress,
    tradingStatus: onOff,
    /** True from turning auto-trade off until every position is closed; the status stays on meanwhile. */
    stopping: z.boolean(),
    /** Present when turning auto-trade off closed a position; absent where none was open, or the owner ended the exit. */
    closedByStop: z.optional(z.literal(true)),
    /** Absent while nothing restricts the agent and no exit is in progress. */
    trading: z.optional(tradingCondition),
    /** Absent while the agent is close to none of its limits, or `trading` already names the restriction. */
    nearLimits: z.optional(z.array(nearLimit)),
    /** Percent, for instance 0.5. */
    slippageTolerance: z.number(),
    positionSizePercent: z.int(),
    maxSignalAgeSeconds: z.int(),
    /** Absent where nothing is planned for an open position. */
    plan: z.optional(plan),
    /** Absent: 1. */
    leverage: z.optional(leverage),
    /** Limits the owner set; absent where none is set. */
    limits: z.optional(ownerLimits),
    /** Number of the trading account at the venue; absent until the first deposit created it. */
    number: z.optional(z.int()),
    /** Absent until custody was set up. */
    squadsMultisig: z.optional(custody),
    hypothesisStatus: onOff,
    buyReportPrompt: z.string(),
    sellReportPrompt: z.string(),
    /** Time of the last change of the agent, its alerts or its rules; a save may send it as its precondition. */
    updatedAt: isoTime,
  }),
  {
    botId: "id",
    agentName: "name",
    assetPair: "marketId",
    pubkey: "owner",
    slippageTolerance: "slippagePercent",
    number: "subAccountId",
    squadsMultisig: "custody",
  },
);

/** An agent as its owner sees it. */
export interface Agent extends Omit<
  z.infer<typeof agentOnWire>,
  "tradingStatus" | "stopping" | "hypothesisStatus"
> {
  /** `stopping` from switching off until every position is closed. */
  readonly autoTrade: "on" | "stopping" | "off";
  /** True when a hypothesis is written for each trade. */
  readonly writesHypotheses: boolean;
}

export const agent = z.codec(agentOnWire, z.custom<Agent>(), {
  decode: ({ tradingStatus, stopping, hypothesisStatus, ...same }): Agent => ({
    ...same,
    autoTrade: stopping ? "stopping" : tradingStatus,
    writesHypotheses: hypothesisStatus === "on",
  }),
  encode: ({ autoTrade, writesHypotheses, ...same }): z.infer<typeof agentOnWire> => ({
    ...same,
    tradingStatus: autoTrade === "off" ? "off" : "on",
    stopping: autoTrade === "stopping",
    hypothesisStatus: writesHypotheses ? "on" : "off",
  }),
});
