/**
 * Kind of a ledger entry.
 *
 * `deposit` and `withdrawal` are transfers from and to the owner's wallet, `external` ones with any other party;
 * `transfer` moves between two places of one agent and sums to zero; `interest` is what the exchange added to a balance
 * or rounded off it; `opening` is what the chain shows beyond the transactions that could be read: no node stores the
 * earliest any more, or an earlier practice chain logged no amounts.
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
 * Where an amount is held: tokens of the vault, the vault's own SOL, the balance at the exchange, the unsettled PnL of
 * a position. `wallet` and `platform` paid a network fee and do not belong to the agent: no balance is kept for them.
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

/** An amount of one asset in one place. */
export interface LedgerAccount {
  readonly place: LedgerPlace;
  /** Number of the exchange account; 0 for all other places. */
  readonly subAccount: number;
  /** Market of a position; empty for all other places. */
  readonly market: string;
  /** Symbol of the token, or the market for a position's base size. */
  readonly asset: string;
}

/** A change of an asset that has a cost basis: bought, sold or moved. */
export interface BaseChange {
  readonly marketId: string;
  readonly decimals: number;
  /** Base units, positive when received and negative when given. */
  readonly amount: bigint;
}

/**
 * One entry as read from a transaction, before its realised PnL is computed. Amounts are signed base units of the
 * asset.
 */
export interface LedgerMovement extends LedgerAccount {
  readonly kind: LedgerKind;
  readonly decimals: number;
  readonly amount: bigint;
  /** The other side of a trade; in a spot market also a moved amount of the asset itself. */
  readonly base?: BaseChange;
}

/** The holding in a market and its cost basis after an entry. */
export interface Held {
  readonly base: bigint;
  /** Quote received less quote paid for the holding: negative for a long. Null where it is unknown. */
  readonly cost: bigint | null;
  /** Fees of what is held: negative where they were paid. Null where they are unknown. */
  readonly fees: bigint | null;
}

/** One entry of the ledger. */
export interface LedgerEntry extends LedgerMovement {
  /** Index of the entry among those of its kind within one transaction, from 0. */
  readonly index: number;
  /** Realised PnL before fees and funding, in quote base units; null where nothing closed or it is unknown. */
  readonly realised: bigint | null;
  /** Fees of both sides of what closed, negative where they were paid; null where nothing closed or they are unknown. */
  readonly realisedFees: bigint | null;
  readonly held?: Held;
}

/** A ledger entry with the transaction it was read from. */
export interface BookedEntry extends LedgerEntry {
  readonly signature: string;
  readonly slot: bigint;
  /** Unix milliseconds of the block. */
  readonly atMs: number;
}

/** An entry of a landed transaction that the book does not have yet. */
export interface PendingEntry
  extends LedgerMovement, Pick<BookedEntry, "signature" | "slot" | "atMs"> {
  /** Index of the entry among those of its kind within one transaction, from 0. */
  readonly index: number;
  /**
   * `opens`: the first trade of an order that opens, which is made only where nothing is held. `closes`: a trade that
   * leaves nothing or less of the same side. Null: nothing is known of it but its amounts.
   */
  readonly effect: "opens" | "closes" | null;
}

/** Returns the key of an account of the ledger, for comparing and for reading. */
export function accountKey({ place, subAccount, market, asset }: LedgerAccount): string {
  return [place, subAccount, market, asset].join("/");
}

/** Returns movements with their index among those of their kind within one transaction. */
export function numbered<M extends Pick<LedgerMovement, "kind"> & { readonly signature?: string }>(
  movements: readonly M[],
): readonly (M & { readonly index: number })[] {
  const counted = new Map<string, number>();
  return movements.map((movement) => {
    const key = `${movement.kind} ${movement.signature}`;
    const index = counted.get(key) ?? 0;
    counted.set(key, index + 1);
    return { ...movement, index };
  });
}

/** Returns the movements of a landed transaction as pending entries, its trades with an effect where one is known. */
export const toPendingEntries = (
  movements: readonly LedgerMovement[],
  { signature, slot, atMs }: Pick<BookedEntry, "signature" | "slot" | "atMs">,
  effect: PendingEntry["effect"] = null,
): readonly PendingEntry[] =>
  numbered(movements).map((movement) => ({
    ...movement,
    effect: movement.kind === "trade" ? effect : null,
    signature,
    slot,
    atMs,
  }));
