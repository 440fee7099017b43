/**
 * The network an agent trades on. `practice` and `paper` are built in and have play money only: practice at a made-up
 * market, paper at the live prices of real ones.
 */
export const NETWORKS = ["practice", "paper", "devnet", "mainnet"] as const;

export type Network = (typeof NETWORKS)[number];

export const isNetwork = (name: string): name is Network =>
  NETWORKS.some((network) => network === name);

/** Networks whose chain is built in. */
export const BUILT_IN_NETWORKS = ["practice", "paper"] as const satisfies readonly Network[];

export type BuiltInNetwork = (typeof BUILT_IN_NETWORKS)[number];

/** A network of Solana nodes. */
export type RealNetwork = Exclude<Network, BuiltInNetwork>;

/** Returns whether a network's chain is built in and its money play money. */
export const isBuiltIn = (network: Network): network is BuiltInNetwork =>
  network === "practice" || network === "paper";
