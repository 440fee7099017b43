/** The chain an agent lives on. `practice` is built in and holds practice money only. */
export const NETWORKS = ["practice", "devnet", "mainnet"] as const;

export type Network = (typeof NETWORKS)[number];
