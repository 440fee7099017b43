/** The network an agent trades on. `practice` is built in and has practice money only. */
export const NETWORKS = ["practice", "devnet", "mainnet"] as const;

export type Network = (typeof NETWORKS)[number];
