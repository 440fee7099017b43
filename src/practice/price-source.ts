/** A price of one asset, in quote units with six decimals per whole asset. */
export interface QuotedPrice {
  readonly price: bigint;
  /** Half the width of the source's confidence interval, same unit. */
  readonly confidence: bigint;
  /** Unix milliseconds. */
  readonly publishedAtMs: number;
  /** When the price reached the chain, Unix milliseconds; absent: at the time asked for. */
  readonly postedAtMs?: number;
}

/**
 * Price source of the practice chain's oracles. Reads are synchronous: a live source returns its last received price.
 */
export interface PriceSource {
  /** Name of the source for users, for instance `practice market`. */
  readonly label: string;
  /** Returns the newest price at a time, or undefined for an asset the source does not have. */
  quote(asset: string, atMs: number): QuotedPrice | undefined;
  /** Returns whether the source ever has a price of an asset; absent: it has one of every asset. */
  has?(asset: string): boolean;
}
