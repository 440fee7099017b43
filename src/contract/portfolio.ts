import * as z from "zod/mini";
import { RANGES } from "../domain/performance/range.ts";
import { renamed } from "./codec.ts";
import { heldAsset } from "./custody.ts";
import {
  agentId,
  chatId,
  decimalText,
  isoTime,
  network,
  signedDecimalText,
  ownWallet,
} from "./fields.ts";
import { pendingEntry } from "./ledger.ts";
import { READS, route } from "./route.ts";

const money = z.nullable(signedDecimalText);

/**
 * PnL in a period: the present value less the earlier value less net deposits. Null where one of them is unknown, also
 * while the ledger does not have an agent's first deposit.
 */
const made = z.nullable(
  z.strictObject({
    amount: signedDecimalText,
    /** Relative to the earlier value and all later deposits; null where these are zero. */
    share: z.nullable(z.number()),
  }),
);

const agentNames = { botId: "id", agentName: "name", assetPair: "marketId" } as const;

const portfolioAgent = z.strictObject({
  botId: agentId,
  chatId,
  agentName: z.string(),
  assetPair: z.string(),
  state: z.enum(["off", "on", "stopping", "reducing", "halted", "closing"]),
  /** Value of its account; null before the first deposit and where it was never read. */
  value: money,
  /** Present when the venue could not be read: the time of the last recorded value, which is used instead. */
  valueSince: z.optional(isoTime),
  /** Share of its network's total; null without a value. */
  share: z.nullable(z.number()),
  today: made,
  /** Drawdown from its highest point of the period, 0 to 1. */
  drawdown: z.nullable(z.number()),
  /** Growth over the period at the portfolio's marks; null in a gap. */
  spark: z.array(z.nullable(z.number())),
  /** Matters that need the owner's attention, one sentence each. */
  attention: z.array(z.string()),
});

const deletedAgent = z.strictObject({
  botId: agentId,
  agentName: z.string(),
  assetPair: z.string(),
  deletedAt: isoTime,
  /** PnL since its first deposit. */
  all: made,
  today: made,
  drawdown: z.nullable(z.number()),
  spark: z.array(z.nullable(z.number())),
});

const portfolioNetwork = z.strictObject({
  network,
  quote: z.strictObject({ symbol: z.string(), decimals: z.int() }),
  /** Value of all agents that are not deleted; null where one of them was never read. */
  total: money,
  /** Number of agents whose value is the last recorded one or unknown. */
  unread: z.int(),
  /** Number of agents with money on its way in or out, or not in the ledger yet. */
  unbooked: z.int(),
  made: z.strictObject({ today: made, week: made, month: made, all: made }),
  /** Value and net deposits at evenly spaced marks of the period; null in a gap. Time in Unix seconds. */
  curve: z.array(z.strictObject({ time: z.int(), value: money, paidIn: money })),
  agents: z.array(renamed(portfolioAgent, agentNames)),
  /** Agents deleted by now that held money; the figures above include what they made. The latest deleted first. */
  deleted: z.array(renamed(deletedAgent, agentNames)),
  exposure: z.array(
    z.strictObject({ asset: z.string(), long: signedDecimalText, short: signedDecimalText }),
  ),
  /** Null where the chain cannot be read. */
  wallet: z.nullable(
    z.strictObject({ sol: decimalText, quote: decimalText, assets: z.array(heldAsset) }),
  ),
  /**
   * The oldest of `pendingCount` movements, at most twenty: on chain, not final yet, and in no figure of the ledger.
   */
  pending: z.array(pendingEntry),
  pendingCount: z.int(),
  /** Newest first, at most twenty. */
  flows: z.array(
    renamed(
      z.strictObject({
        at: isoTime,
        botId: agentId,
        /** `outside`: with a party other than the owner's wallet. */
        kind: z.enum(["deposit", "withdrawal", "outside"]),
        amount: signedDecimalText,
        asset: z.string(),
      }),
      { botId: "agentId" },
    ),
  ),
});

const portfolio = z.strictObject({ at: isoTime, networks: z.array(portfolioNetwork) });

export type Portfolio = z.infer<typeof portfolio>;

/** Assets and performance of all the wallet's agents, by network. */
export const getPortfolio = route("GET", "/api/wallets/:walletAddress/portfolio", {
  ...READS,
  isBig: true,
  ...ownWallet,
  staleOn: ["agent", "ledger", "position", "custody"],
  pollMs: 15_000,
  pollsWhilePushed: true,
  query: z.strictObject({ range: z.enum(RANGES) }),
  response: portfolio,
});
