import * as z from "zod/mini";
import { base64, decimalText, signature } from "./fields.ts";
import { free, route } from "./route.ts";

/** Gives practice money to the signed-in wallet: at most 10 SOL and 10,000 USDC a call, 10 calls an hour. */
export const useFaucet = route("POST", "/api/practice/faucet", {
  ...free("Practice money is worth nothing."),
  access: { kind: "session" },
  changes: ["balances"],
  body: z.strictObject({ sol: decimalText, usdc: decimalText }),
  response: z.strictObject({ signature }),
});

/** Sends a transaction that the practice wallet signed in this browser; the RPC of the practice network. */
export const sendPracticeTransaction = route("POST", "/api/practice/send", {
  ...free("The practice wallet signed the transaction."),
  access: { kind: "session" },
  body: z.strictObject({ transaction: base64.check(z.maxLength(2048)) }),
  response: z.strictObject({ signature }),
});
