import * as z from "zod/mini";
import { heldAsset } from "./custody.ts";
import { decimalText, network, ownWallet } from "./fields.ts";
import { READS, route } from "./route.ts";

/** Balances of the signed-in wallet as decimal text; null when the chain could not be read. */
export const getBalances = route("GET", "/api/wallets/:walletAddress/balances", {
  ...READS,
  ...ownWallet,
  staleOn: ["balances", "custody"],
  pollMs: 15_000,
  pollsWhilePushed: true,
  query: z.strictObject({ network }),
  response: z.strictObject({
    sol: z.nullable(decimalText),
    quote: z.nullable(decimalText),
    quoteSymbol: z.string(),
    /** Other assets in the wallet that agents trade as tokens; null when the chain could not be read. */
    assets: z.nullable(z.array(heldAsset)),
  }),
});
