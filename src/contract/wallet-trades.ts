import * as z from "zod/mini";
import { renamed } from "./codec.ts";
import { agentId, isoTime, side, signedDecimalText, venue, ownWalletQuery } from "./fields.ts";
import { READS, route } from "./route.ts";

const userPosition = renamed(
  z.strictObject({
    botId: agentId,
    agentName: z.string(),
    market: z.string(),
    side,
    size: z.string(),
    /** Entry price and PnL are absent where the cost of the position is unknown. */
    entryPrice: z.optional(z.string()),
    pnl: z.optional(signedDecimalText),
    positionValue: signedDecimalText,
  }),
  { botId: "agentId", agentName: "agent" },
);

/** Every open position of the wallet's agents; `unavailable` names agents whose venue could not be read. */
export const listUserPositions = route("GET", "/api/trade/get-user-positions", {
  ...READS,
  ...ownWalletQuery({}),
  staleOn: ["position"],
  pollMs: 10_000,
  readToken: true,
  response: z.strictObject({ positions: z.array(userPosition), unavailable: z.array(agentId) }),
});

const filledOrder = renamed(
  z.strictObject({
    symbol: z.string(),
    takerOrderDirection: side,
    baseAssetAmountFilled: z.string(),
    ts: isoTime,
    txSig: z.string(),
  }),
  {
    symbol: "market",
    takerOrderDirection: "side",
    baseAssetAmountFilled: "size",
    ts: "at",
    txSig: "signature",
  },
);

const agents = z.array(
  renamed(
    z.strictObject({
      botId: agentId,
      agentName: z.string(),
      venue,
      orders: z.array(filledOrder),
    }),
    { botId: "id", agentName: "name", orders: "fills" },
  ),
);

/** Filled orders of every agent of the wallet, newest first, at most 50 per agent. */
export const getUserActivity = route("GET", "/api/trade/get-user-activity", {
  ...READS,
  ...ownWalletQuery({}),
  staleOn: ["trade-log"],
  response: z.codec(z.strictObject({ agents }), z.custom<z.infer<typeof agents>>(), {
    decode: (sent) => sent.agents,
    encode: (shown) => ({ agents: shown }),
  }),
});
