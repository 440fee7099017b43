import * as z from "zod/mini";
import { BUILT_IN_NETWORKS } from "../domain/network.ts";
import { base64, decimalText, signature } from "./fields.ts";
import { free, route } from "./route.ts";

/** A network with play money: `practice` when absent. */
const builtIn = z._default(z.enum(BUILT_IN_NETWORKS), "practice");

/** Gives play money to the signed-in wallet: at most 10 SOL and 10,000 USDC a call, 10 calls an hour. */
export const useFaucet = route("POST", "/api/practice/faucet", {
  ...free("Play money is worth nothing."),
  access: { kind: "session" },
  changes: ["balances"],
  body: z.strictObject({ network: builtIn, sol: decimalText, usdc: decimalText }),
  response: z.strictObject({ signature }),
});

/** Sends a transaction that the practice wallet signed in this browser; the RPC of a built-in network. */
export const sendPracticeTransaction = route("POST", "/api/practice/send", {
  ...free("The practice wallet signed the transaction."),
  access: { kind: "session" },
  body: z.strictObject({ network: builtIn, transaction: base64.check(z.maxLength(2048)) }),
  response: z.strictObject({ signature }),
});
