import * as z from "zod/mini";
import { CUSTODY_INTENTS } from "../domain/custody-intent.ts";
import {
  agentId,
  base64,
  decimalText,
  isoTime,
  line,
  network,
  serverId,
  signature,
  walletAddress,
} from "./fields.ts";
import { READS, WALLET, route } from "./route.ts";

export const custodyIntent = z.enum(CUSTODY_INTENTS);

/**
 * `prepared` waits for the wallet, `sent` for the chain. `failed` carries the reason, `expired` is proved at finality,
 * `abandoned` was replaced before it was signed.
 */
export const transactionState = z.enum([
  "prepared",
  "sent",
  "confirmed",
  "failed",
  "expired",
  "abandoned",
]);

/** Transaction versions the wallet supports, as reported by the wallet. */
export const transactionVersion = z.union([z.literal("legacy"), z.literal(0), z.literal(1)]);

const ownTransaction = {
  access: { kind: "owner", of: "transaction", id: "params.id" },
  params: z.strictObject({ id: serverId }),
} as const;

/** Costs of a transaction before signing, in lamports and quote units; positive amounts leave the wallet. */
export const transactionCosts = z.strictObject({
  networkFeeLamports: decimalText,
  rentLamports: decimalText,
  transferLamports: decimalText,
  quoteAmount: decimalText,
  quoteSymbol: z.string(),
  quoteDecimals: z.int(),
  /** Costs that can never be recovered, at the chain's present prices. */
  unrecoverable: z.array(z.strictObject({ what: z.string(), lamports: decimalText })),
});

export const lookupTable = z.strictObject({
  address: walletAddress,
  addresses: z.array(walletAddress),
});

export const preparedTransaction = z.strictObject({
  id: serverId,
  /** Unsigned; version 1 where the wallet supports it, otherwise version 0. */
  transaction: base64,
  /**
   * Content of the lookup tables the transaction names. The page reads the transaction with it but does not trust it.
   */
  tables: z.array(lookupTable),
  /** `sign` when the server must co-sign after the wallet, otherwise `signAndSend`. */
  method: z.enum(["signAndSend", "sign"]),
  label: z.string(),
  /** Number of the step from 1, for "Step 2 of 3". */
  step: z.int(),
  stepCount: z.int(),
  network,
  multisig: walletAddress,
  vault: walletAddress,
  costs: transactionCosts,
  lastValidBlockHeight: decimalText,
});

export const followedTransaction = z.strictObject({
  id: serverId,
  agentId,
  intent: custodyIntent,
  step: z.int(),
  stepCount: z.int(),
  label: z.string(),
  state: transactionState,
  reason: z.optional(z.string()),
  amount: z.optional(decimalText),
  signature: z.optional(signature),
  sentAt: z.optional(isoTime),
  /** True while more steps of the same intent follow this one. */
  hasNext: z.boolean(),
});

/**
 * Prepares the next transaction of an intent from the chain's present state, or returns `done` when nothing is left to
 * sign. A prepared transaction that was never signed is replaced; a sent one blocks until it settles.
 */
export const prepareTransaction = route("POST", "/api/tx/prepare", {
  bearer: "trading_custody",
  access: { kind: "owner", of: "agent", id: "body.agentId" },
  body: z.strictObject({
    intent: custodyIntent,
    agentId,
    /** Whole quote units, for instance "8.2". For deposit, withdraw and update-limits only. */
    amount: z.optional(decimalText),
    /** The asset to move, for instance "SOL"; absent: every asset in the vault. For `move-assets` only. */
    market: z.optional(line(1, 20)),
    /** Transaction versions the wallet supports; absent: version 0 alone. */
    versions: z.optional(z.array(transactionVersion)),
  }),
  response: z.union([
    z.strictObject({ done: z.literal(false), prepared: preparedTransaction }),
    z.strictObject({ done: z.literal(true) }),
  ]),
});

/** Replaces a transaction that was never signed by one with the same effects and a fresh blockhash. */
export const renewTransaction = route("POST", "/api/tx/:id/renew", {
  ...WALLET,
  ...ownTransaction,
  response: preparedTransaction,
});

/** Reports a transaction that the wallet signed and sent itself. */
export const reportSent = route("POST", "/api/tx/:id/sent", {
  ...WALLET,
  ...ownTransaction,
  body: z.strictObject({ signature }),
  response: followedTransaction,
});

/**
 * Submits a transaction that the wallet only signed; the server verifies, co-signs where needed, stores and sends it.
 */
export const submitSigned = route("POST", "/api/tx/:id/signed", {
  ...WALLET,
  ...ownTransaction,
  body: z.strictObject({ transaction: base64 }),
  response: followedTransaction,
});

export const getTransaction = route("GET", "/api/tx/:id", {
  ...READS,
  ...ownTransaction,
  response: followedTransaction,
});

export type PreparedTransaction = z.infer<typeof preparedTransaction>;

export type FollowedTransaction = z.infer<typeof followedTransaction>;
