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
  decimalText,
  portion,
  side,
  signedDecimalText,
  ownerLimits,
} from "./fields.ts";
import { leverage, plan } from "./plan.ts";
import { PLAN_ENDS } from "../domain/plan/plan.ts";

/** An exit in progress. It is retried until the position, or its part, is closed or the owner ends it. */
const exitInWork = z.strictObject({
  market: z.string(),
  /** Side of the position. */
  side,
  /** Percent of the position that a rule closes; absent: all of it. */
  portion: z.optional(portion),
  askedAt: isoTime,
  askedBy: z.enum(["alert", "owner", "reversal", "plan"]),
  /** What of the position's plan asked for it. */
  planEnd: z.optional(z.enum(PLAN_ENDS)),
  /** Number of orders sent for it that left part of the position open. */
  attempts: z.int(),
  nextAttemptAt: isoTime,
  /** Why the position is not closed yet, one sentence. */
  lastReason: z.optional(z.string()),
  /** Slippage limit of the next order in percent; it widens beyond the agent's own after repeated attempts. */
  limitPercent: signedDecimalText,
});

/** A limit the agent is close to. It blocks entries, never the closing of a position. */
export const nearLimit = z.strictObject({
  limit: z.enum([
    "orders_a_minute",
    "orders_an_hour",
    "failures",
    "daily_loss",
    "fall",
    "trades_a_day",
    "losses_in_a_row",
  ]),
  isReached: z.boolean(),
  /** Number of orders or trades, percent of the account lost today, or drawdown from the peak in percent. */
  used: decimalText,
  most: decimalText,
  /** Time at which part of the limit is free again; absent where time does not free it. */
  easesAt: z.optional(isoTime),
});

export type NearLimit = z.infer<typeof nearLimit>;

/**
 * Restriction on an agent's trading, with one sentence on its cause and one on what ends it.
 *
 * `halted` is set by the operator and takes precedence over `exiting`, which takes precedence over `reducing`: only
 * exits are then sent. A trading key that may be stolen is said before everything else, also while the agent is off. With `no_candles` the agent trades on alerts from outside, but its own conditions cannot be
 * evaluated.
 */
export const tradingCondition = z.strictObject({
  state: z.enum(["reducing", "halted", "exiting", "no_candles"]),
  reason: z.string(),
  since: z.optional(isoTime),
  endsWhen: z.string(),
  /** Present where only the owner's confirmation ends it. */
  canResume: z.optional(z.literal(true)),
  /** Present where somebody else seems to hold the trading key, so that it should be revoked. */
  mayBeStolen: z.optional(z.literal(true)),
  exits: z.array(exitInWork),
});

export type TradingCondition = z.infer<typeof tradingCondition>;

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
