/**
 * What an entry of the book is for.
 *
 * `deposit` and `withdrawal` are exchanges with the owner's wallet, `external` ones with anybody else; `transfer` moves
 * between two places of one agent and sums to zero; `interest` is what the exchange added to a balance or rounded off
 * it; `opening` is what was there before the earliest transaction a node still knows.
 */
export const LEDGER_KINDS = [
  "opening",
  "deposit",
  "withdrawal",
  "external",
  "transfer",
  "trade",
  "fee",
  "funding",
  "settlement",
  "interest",
  "rent_paid",
  "rent_returned",
  "network_fee",
] as const;

export type LedgerKind = (typeof LEDGER_KINDS)[number];

/**
 * Where an amount is: tokens of the vault, the vault's own SOL, the balance at the exchange, what a position has made and
 * not settled yet. `wallet` and `platform` paid a network fee and are not the agent's: nothing is held against them.
 */
export const LEDGER_PLACES = [
  "vault",
  "vault_sol",
  "exchange",
  "position",
  "wallet",
  "platform",
] as const;

export type LedgerPlace = (typeof LEDGER_PLACES)[number];

/** One amount of one asset in one place. */
export interface BookAccount {
  readonly place: LedgerPlace;
  /** Number of the exchange account; 0 for every other place. */
  readonly subAccount: number;
  /** Market of a position; empty for every other place. */
  readonly market: string;
  /** Symbol of the token, or the market for the size of a position in it. */
  readonly asset: string;
}

/** A change of an asset that has a cost: bought, sold or moved. */
export interface BaseChange {
  readonly marketId: string;
  readonly decimals: number;
  /** Base units that came (positive) or went. */
  readonly amount: bigint;
}

/** One entry as read from a transaction, before its gain is known. Amounts are signed base units of the asset. */
export interface LedgerMovement extends BookAccount {
  readonly kind: LedgerKind;
  readonly decimals: number;
  readonly amount: bigint;
  /** The other side of a trade; in a spot market also what was moved of the asset itself. */
  readonly base?: BaseChange;
}

/** What is held of a market and what it cost, after an entry. */
export interface Held {
  readonly base: bigint;
  /** Quote that came in less what was paid for what is held: negative for a long. Null where nobody knows. */
  readonly cost: bigint | null;
}

/** One entry of the book. */
export interface LedgerEntry extends LedgerMovement {
  /** Counts the entries of one kind within one transaction, from 0. */
  readonly index: number;
  /** What closing earned before fees and funding, in quote base units; null for what closes nothing or cannot be known. */
  readonly realised: bigint | null;
  readonly held?: Held;
}

/** An entry with the transaction that it was read from. */
export interface BookedEntry extends LedgerEntry {
  readonly signature: string;
  readonly slot: bigint;
  /** Unix milliseconds of the block. */
  readonly atMs: number;
}

/** Names an account of the book, for comparing and for reading. */
export function accountKey({ place, subAccount, market, asset }: BookAccount): string {
  return [place, subAccount, market, asset].join("/");
}
