import * as z from "zod/mini";
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
import { nearLimit, tradingCondition } from "./trading-condition.ts";

/** An agent's custody as read from the chain when it was attached. */
export const multisig = z.strictObject({
  multisigPda: walletAddress,
  vaultPda: walletAddress,
  vaultIndex: z.int(),
  members: z.array(walletAddress),
  threshold: z.int(),
  status: z.enum(["planned", "active", "deleting", "closed"]),
  createdAt: isoTime,
  lastUsedAt: z.optional(isoTime),
  spendingLimitConfigured: z.boolean(),
  venueConfig: z.strictObject({ delegate: walletAddress, delegated: z.boolean() }),
  spendingLimitUSDC: z.optional(walletAddress),
  spendingLimitAsset: z.optional(walletAddress),
});

/** An agent in responses. `number` is absent until the first deposit. */
export const agent = z.strictObject({
  botId: agentId,
  chatId,
  agentName: z.string(),
  assetPair: z.string(),
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
  /** Limits the owner set; absent where none is set. */
  limits: z.optional(ownerLimits),
  number: z.optional(z.int()),
  squadsMultisig: z.optional(multisig),
  hypothesisStatus: onOff,
  buyReportPrompt: z.string(),
  sellReportPrompt: z.string(),
  /** Time of the last change of the agent, its alerts or its rules; a save may send it as its precondition. */
  updatedAt: isoTime,
});

export type Agent = z.infer<typeof agent>;
