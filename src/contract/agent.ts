import * as z from "zod/mini";
import { isoTime, network, onOff, serverId, venue, walletAddress } from "./fields.ts";
import { ownerLimits } from "./owner-limit-fields.ts";
import { nearLimit, tradingCondition } from "./trading-condition.ts";

/** An agent's custody as the chain showed it when it was attached. */
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

/** An agent in answers. `number` is absent until the first deposit. */
export const agent = z.strictObject({
  botId: serverId,
  chatId: serverId,
  agentName: z.string(),
  assetPair: z.string(),
  interval: z.string(),
  venue,
  network,
  pubkey: walletAddress,
  tradingStatus: onOff,
  /** True from the click on "off" until every position is closed; the status stays on meanwhile. */
  stopping: z.boolean(),
  /** There when turning it off closed a position; absent where nothing was open, or what was open was left. */
  closedByStop: z.optional(z.literal(true)),
  /** Absent while nothing limits what the agent may do and no exit is in work. */
  trading: z.optional(tradingCondition),
  /** Absent while the agent is close to none of its limits, or `trading` says what holds anyway. */
  nearLimits: z.optional(z.array(nearLimit)),
  /** Percent, for instance 0.5. */
  slippageTolerance: z.number(),
  positionSizePercent: z.int(),
  maxSignalAgeSeconds: z.int(),
  /** What the owner allows it; absent where no limit is set. */
  limits: z.optional(ownerLimits),
  number: z.optional(z.int()),
  squadsMultisig: z.optional(multisig),
  hypothesisStatus: onOff,
  buyReportPrompt: z.string(),
  sellReportPrompt: z.string(),
  /** When the agent, its alerts or its rules were last changed; a save may name it as its precondition. */
  updatedAt: isoTime,
});

export type Agent = z.infer<typeof agent>;
