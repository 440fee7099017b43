/** A price of one asset, in quote units with six decimals per whole asset. */
export interface QuotedPrice {
  readonly price: bigint;
  /** Half the width of the source's uncertainty, same unit. */
  readonly confidence: bigint;
  /** Unix milliseconds. */
  readonly publishedAtMs: number;
}

/** Where the practice chain's oracles take prices from. Reads never wait: a live source keeps its last answer. */
export interface PriceSource {
  /** Names the source to people, for instance `practice market`. */
  readonly label: string;
  /** Returns the newest price at that time, or undefined for an asset the source does not know. */
  quote(asset: string, atMs: number): QuotedPrice | undefined;
}
