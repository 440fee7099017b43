import * as z from "zod/mini";
import { heldAsset } from "./custody.ts";
import { decimalText, network, ownerAddress } from "./fields.ts";
import { defineRoute } from "./route.ts";

/** Balances of the signed-in wallet as decimal text; null when the chain could not be read. */
export const getBalances = defineRoute({
  method: "GET",
  path: "/api/wallets/:walletAddress/balances",
  access: { kind: "owner", of: "wallet", id: "params.walletAddress" },
  staleOn: ["balances", "custody"],
  pollMs: 15_000,
  pollsWhilePushed: true,
  params: z.strictObject({ walletAddress: ownerAddress }),
  query: z.strictObject({ network }),
  status: 200,
  response: z.strictObject({
    sol: z.nullable(decimalText),
    quote: z.nullable(decimalText),
    quoteSymbol: z.string(),
    /** Other assets in the wallet that agents trade as tokens; null when the chain could not be read. */
    assets: z.nullable(z.array(heldAsset)),
  }),
});
