/** Possible faults of an RPC node. */
export const NODE_TROUBLES = [
  "unreachable",
  "limited",
  "behind",
  "without_history",
  "wrong_chain",
  "wrong_answer",
] as const;

export type NodeTrouble = (typeof NODE_TROUBLES)[number];

/**
 * What is wrong with a source of live prices: no answer; a refusal such as 403 or 429; another form than documented, or prices
 * that cannot be; its time does not advance; its time is ahead of the server's; prices far from the other sources'.
 */
export const SOURCE_FAULTS = [
  "unreachable",
  "refused",
  "unreadable",
  "old",
  "ahead",
  "apart",
] as const;

export type SourceFault = (typeof SOURCE_FAULTS)[number];

/** Reason why there is no price: no reading is new enough, sources disagree, or one alone moves too far. */
export const NO_PRICES = ["stale", "apart", "unconfirmed"] as const;

export type NoPrice = (typeof NO_PRICES)[number];
