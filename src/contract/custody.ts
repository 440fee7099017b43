import * as z from "zod/mini";
import { custody } from "./agent.ts";
import { renamed } from "./codec.ts";
import { decimalText, isoTime, ownAgent, ownerAddress, serverId, walletAddress } from "./fields.ts";
import { READS, route, type ResponseOf } from "./route.ts";

/**
 * State of an agent's deletion: `refused` until the owner does what the refusal asks, `open` while transactions are
 * left to sign, `cleared` when only the records remain.
 */
export const deletion = z.strictObject({
  state: z.enum(["refused", "open", "cleared"]),
  refusal: z.nullable(z.string()),
  /** Labels of the remaining transactions, as far as they are known now. */
  steps: z.array(z.string()),
  /** SOL still to be recovered, and SOL already recovered, in lamports. */
  recoverableLamports: decimalText,
  recoveredLamports: decimalText,
  /** SOL that stays in the vault, and SOL that can never be recovered, in lamports. */
  keptLamports: decimalText,
  unrecoverableLamports: decimalText,
  /** Warnings for the owner after the deletion. */
  warnings: z.array(z.string()),
});

export const getDeletion = route("GET", "/api/agents/:botId/deletion", {
  ...READS,
  ...ownAgent,
  staleOn: ["agent", "position", "custody"],
  freshMs: 0,
  response: deletion,
});

/** A change on chain that was not made through this product. */
export const custodyNotice = z.strictObject({ at: isoTime, text: z.string() });

/** On-chain spending limit of the trading key for one token. Amounts in whole tokens. */
export const spendingLimit = z.strictObject({
  symbol: z.string(),
  amount: decimalText,
  /** Amount left in the current period. */
  remaining: decimalText,
  period: z.enum(["once", "day", "week", "month"]),
  /** The only wallets that may receive the tokens. */
  destinations: z.array(walletAddress),
  account: walletAddress,
});

/** An asset and its amount in whole tokens. */
export const heldAsset = z.strictObject({ symbol: z.string(), amount: decimalText });

/** On-chain permissions over one agent's assets. */
const custodyAccess = z.strictObject({
  owner: ownerAddress,
  multisig: walletAddress,
  vault: walletAddress,
  /**
   * Our trading key, and the key that may trade at the venue now; `pending` while the venue's part of the set-up is not
   * signed, `unknown` when the venue could not be read.
   */
  delegate: walletAddress,
  delegateOnChain: z.nullable(walletAddress),
  delegateState: z.enum(["ours", "pending", "none", "foreign", "unknown"]),
  vaultLamports: z.nullable(decimalText),
  /** Whole quote units in the vault and at the venue. */
  vaultQuote: z.nullable(decimalText),
  venueQuote: z.nullable(decimalText),
  quoteSymbol: z.string(),
  /** Assets in the vault beside SOL and the quote token; null when they could not be read. */
  assets: z.nullable(z.array(heldAsset)),
  /** Empty on venues whose trading key can move no tokens; null when they could not be read. */
  limits: z.nullable(z.array(spendingLimit)),
  /** Largest leverage the exchange account takes orders of; absent where it has no such setting. */
  leverageAllowed: z.optional(z.int()),
  unrecoverable: z.array(z.strictObject({ what: z.string(), lamports: decimalText })),
  /** Newest first. */
  notices: z.array(custodyNotice),
});

const access = renamed(custodyAccess, {
  delegate: "tradingKey",
  delegateOnChain: "tradingKeyOnChain",
  delegateState: "tradingKeyState",
});

export type CustodyAccess = z.infer<typeof access>;

/** Returns who can move the agent's assets; null before the owner has signed the first set-up transaction. */
export const getCustodyAccess = route("GET", "/api/agents/:botId/custody/access", {
  ...READS,
  ...ownAgent,
  staleOn: ["agent", "position", "custody"],
  response: z.nullable(access),
});

/** Returns the agent's custody; null until the owner has signed the first set-up transaction. */
export const getCustody = route("GET", "/api/agents/:botId/custody", {
  ...READS,
  ...ownAgent,
  staleOn: ["agent", "position", "custody"],
  response: z.strictObject({
    multisig: z.nullable(custody),
    /** Set-up steps in order, each checked against the chain. */
    steps: z.array(z.strictObject({ label: z.string(), state: z.enum(["todo", "open", "done"]) })),
    vaultLamports: z.nullable(decimalText),
    ownerLamports: z.nullable(decimalText),
    ownerQuote: z.nullable(decimalText),
    quoteSymbol: z.string(),
    unrecoverableLamports: z.nullable(decimalText),
    openTransactionId: z.nullable(serverId),
  }),
});

export type Custody = ResponseOf<typeof getCustody>;

export type Deletion = ResponseOf<typeof getDeletion>;
