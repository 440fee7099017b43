import * as z from "zod/mini";
import { base64, decimalText, signature } from "./fields.ts";
import { defineRoute } from "./route.ts";

/** Gives practice money to the signed-in wallet: at most 10 SOL and 10,000 USDC a call, 10 calls an hour. */
export const useFaucet = defineRoute({
  method: "POST",
  path: "/api/practice/faucet",
  access: { kind: "session" },
  changes: ["balances"],
  body: z.strictObject({ sol: decimalText, usdc: decimalText }),
  status: 200,
  response: z.strictObject({ signature }),
});

/** Sends a transaction that the practice wallet signed in this browser; the RPC of the practice network. */
export const sendPracticeTransaction = defineRoute({
  method: "POST",
  path: "/api/practice/send",
  access: { kind: "session" },
  body: z.strictObject({ transaction: base64.check(z.maxLength(2048)) }),
  status: 200,
  response: z.strictObject({ signature }),
});
