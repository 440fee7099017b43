import * as z from "zod/mini";
import { renamed } from "./codec.ts";
import { agentId, isoTime, ownerAddress, side, signedDecimalText, venue } from "./fields.ts";
import { defineRoute } from "./route.ts";

const userPosition = renamed(
  z.strictObject({
    botId: agentId,
    agentName: z.string(),
    market: z.string(),
    side,
    size: z.string(),
    entryPrice: z.string(),
    pnl: signedDecimalText,
    positionValue: signedDecimalText,
  }),
  { botId: "agentId", agentName: "agent" },
);

const ownWallet = { kind: "owner", of: "wallet", id: "query.owner" } as const;
const walletQuery = renamed(z.strictObject({ pubkey: ownerAddress }), { pubkey: "owner" });

/** Every open position of the wallet's agents; `unavailable` names agents whose venue could not be read. */
export const listUserPositions = defineRoute({
  method: "GET",
  path: "/api/trade/get-user-positions",
  access: ownWallet,
  staleOn: ["position"],
  pollMs: 10_000,
  readToken: true,
  query: walletQuery,
  status: 200,
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
export const getUserActivity = defineRoute({
  method: "GET",
  path: "/api/trade/get-user-activity",
  access: ownWallet,
  staleOn: ["trade-log"],
  query: walletQuery,
  status: 200,
  response: z.codec(z.strictObject({ agents }), z.custom<z.infer<typeof agents>>(), {
    decode: (sent) => sent.agents,
    encode: (shown) => ({ agents: shown }),
  }),
});
