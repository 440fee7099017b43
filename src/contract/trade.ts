import * as z from "zod/mini";
import { agentId, isoTime, side, signedDecimalText, venue, ownerAddress } from "./fields.ts";
import { defineRoute } from "./route.ts";

/**
 * Position of an agent as decimal text: `position` in the asset, signed (short is negative), `pnl` in percent of the
 * entry value, the rest in quote. Zeros with `available: false` mean the venue could not be read, never that the
 * account is flat.
 */
export const positionSummary = z.strictObject({
  position: signedDecimalText,
  portfolioValue: signedDecimalText,
  pnl: signedDecimalText,
  positionValue: signedDecimalText,
  available: z.boolean(),
  /** Time of the reading; while the figures are unavailable, since when they are. */
  asOf: z.optional(isoTime),
  freeCollateral: z.optional(signedDecimalText),
  withdrawable: z.optional(signedDecimalText),
  /**
   * Amount an entry may still cost under the trading key's daily limit; present only where the account has more and trades
   * have drawn from the limit today.
   */
  limitLeft: z.optional(signedDecimalText),
  /** The same while nothing was drawn today: the limit itself, or what of it could be sold again, is lower than the funds. */
  entryLimit: z.optional(signedDecimalText),
  health: z.optional(z.int()),
});

export const getPosition = defineRoute({
  method: "GET",
  path: "/api/trade/get-drift-position",
  access: { kind: "owner", of: "agent", id: "query.agentId" },
  query: z.strictObject({ agentId }),
  status: 200,
  response: z.strictObject({ response: positionSummary }),
});

export const userPosition = z.strictObject({
  botId: agentId,
  agentName: z.string(),
  market: z.string(),
  side,
  size: z.string(),
  entryPrice: z.string(),
  pnl: signedDecimalText,
  positionValue: signedDecimalText,
});

/** Every open position of the wallet's agents; `unavailable` names agents whose venue could not be read. */
export const listUserPositions = defineRoute({
  method: "GET",
  path: "/api/trade/get-user-positions",
  access: { kind: "owner", of: "wallet", id: "query.pubkey" },
  readToken: true,
  query: z.strictObject({ pubkey: ownerAddress }),
  status: 200,
  response: z.strictObject({ positions: z.array(userPosition), unavailable: z.array(agentId) }),
});

export const activityOrder = z.strictObject({
  symbol: z.string(),
  takerOrderDirection: side,
  baseAssetAmountFilled: z.string(),
  ts: isoTime,
  txSig: z.string(),
});

/** Filled orders of every agent of the wallet, newest first, at most 50 per agent. */
export const getUserActivity = defineRoute({
  method: "GET",
  path: "/api/trade/get-user-activity",
  access: { kind: "owner", of: "wallet", id: "query.pubkey" },
  query: z.strictObject({ pubkey: ownerAddress }),
  status: 200,
  response: z.strictObject({
    agents: z.array(
      z.strictObject({
        botId: agentId,
        agentName: z.string(),
        venue,
        orders: z.array(activityOrder),
      }),
    ),
  }),
});
