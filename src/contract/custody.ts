import * as z from "zod/mini";
import { decimalText, isoTime, serverId, walletAddress } from "./fields.ts";
import { defineRoute } from "./route.ts";

const botParams = z.strictObject({ botId: serverId });
const ownAgent = { kind: "owner", of: "agent", id: "params.botId" } as const;

/**
 * How an agent's deletion stands: `refused` until the owner did what the refusal asks, `open` while transactions are
 * left to sign, `cleared` when only the records are left.
 */
export const deletion = z.strictObject({
  state: z.enum(["refused", "open", "cleared"]),
  refusal: z.nullable(z.string()),
  /** Labels of the transactions that are left, as far as they are known now. */
  steps: z.array(z.string()),
  /** SOL still to come back, and what came back already, in lamports. */
  recoverableLamports: decimalText,
  recoveredLamports: decimalText,
  /** Stays in the vault, and stays on chain for ever, in lamports. */
  keptLamports: decimalText,
  unrecoverableLamports: decimalText,
  /** What the owner has to know afterwards. */
  warnings: z.array(z.string()),
});

export const getDeletion = defineRoute({
  method: "GET",
  path: "/api/agents/:botId/deletion",
  access: ownAgent,
  params: botParams,
  status: 200,
  response: deletion,
});

/** Something changed on chain that was not done here. */
export const custodyNotice = z.strictObject({ at: isoTime, text: z.string() });

/** How much of one token the trading key may move. Amounts in whole tokens. */
export const spendingLimit = z.strictObject({
  symbol: z.string(),
  amount: decimalText,
  /** What may still be moved in the present period. */
  remaining: decimalText,
  period: z.enum(["once", "day", "week", "month"]),
  /** The only wallets it may go to. */
  destinations: z.array(walletAddress),
  account: walletAddress,
});

/** An asset with how much of it there is, in whole tokens. */
export const heldAsset = z.strictObject({ symbol: z.string(), amount: decimalText });

/** Who can move what of one agent, as the chain shows it. */
export const custodyAccess = z.strictObject({
  owner: walletAddress,
  multisig: walletAddress,
  vault: walletAddress,
  /**
   * Our trading key, and the key the venue lets trade now; `pending` while the set-up's part at the venue is not signed,
   * `unknown` when the venue could not be read.
   */
  delegate: walletAddress,
  delegateOnChain: z.nullable(walletAddress),
  delegateState: z.enum(["ours", "pending", "none", "foreign", "unknown"]),
  vaultLamports: z.nullable(decimalText),
  /** Whole quote units in the vault itself and at the venue. */
  vaultQuote: z.nullable(decimalText),
  venueQuote: z.nullable(decimalText),
  quoteSymbol: z.string(),
  /** What lies in the vault beside SOL and the quote token; null when it could not be read. */
  assets: z.nullable(z.array(heldAsset)),
  /** Empty on venues whose trading key can move nothing; null when they could not be read. */
  limits: z.nullable(z.array(spendingLimit)),
  unrecoverable: z.array(z.strictObject({ what: z.string(), lamports: decimalText })),
  /** Newest first. */
  notices: z.array(custodyNotice),
});

/** Null before the owner has signed the set-up's first transaction. */
export const getCustodyAccess = defineRoute({
  method: "GET",
  path: "/api/agents/:botId/custody/access",
  access: ownAgent,
  params: botParams,
  status: 200,
  response: z.nullable(custodyAccess),
});
