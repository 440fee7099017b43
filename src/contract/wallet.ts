import * as z from "zod/mini";
import { heldAsset } from "./custody.ts";
import { decimalText, network, ownWallet } from "./fields.ts";
import { READS, route } from "./route.ts";

/** What a wallet has done once, with any agent, also with those it deleted. */
export const getFirstSteps = route("GET", "/api/wallets/:walletAddress/first-steps", {
  ...READS,
  ...ownWallet,
  staleOn: ["agent", "custody", "signals"],
  pollMs: 3_000,
  response: z.strictObject({
    hasMadeAgent: z.boolean(),
    hasDeposited: z.boolean(),
    /** An agent took an alert, whatever followed from it. */
    hasHeard: z.boolean(),
  }),
});

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
