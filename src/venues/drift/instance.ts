import { address } from "@solana/kit";
import type { Network } from "../../domain/network.ts";
import { USDC_MINT } from "../../solana/programs/token.ts";
import type { VenueInstance } from "../venue.ts";
import { drift } from "./profile.ts";

/**
 * A deployment of Drift's program family. This module is the only source of its ids, mints and sizes in this folder.
 */
export interface DriftInstance extends VenueInstance {
  readonly stateSeed: string;
  readonly signerSeed: string;
  readonly quoteSpotMarketIndex: number;
  /** Indexes of the perpetual markets this product trades, by market name. */
  readonly perpMarketIndexes: Readonly<Record<string, number>>;
  /** Size of a User account in bytes. */
  readonly userSize: number;
  /** Set when this deployment must not be used: the reason, one sentence for the user. */
  readonly disabledReason?: string;
}

/** Size of a UserStats account in bytes; the program never deletes it. */
const USER_STATS_SIZE = 240;

/** Drift v2, about version 2.84: used by practice, and by networks that run this program. */
export const DRIFT_V2_INSTANCE: DriftInstance = {
  name: "drift-v2",
  quote: { ...drift.quote, mint: USDC_MINT },
  setUpSizes: [4376, USER_STATS_SIZE],
  unrecoverableSizes: [USER_STATS_SIZE],
  unrecoverableWhat: "Statistics account",
  programId: address("dRiftyHA39MWEi3m9aunc5MzRF1JYuBsbn6VPcn33UH"),
  stateSeed: "drift_state",
  signerSeed: "drift_signer",
  quoteSpotMarketIndex: 0,
  perpMarketIndexes: Object.fromEntries(
    drift.markets.map(({ marketId, marketIndex }) => [marketId, marketIndex]),
  ),
  userSize: 4376,
};

/** The same program on devnet, with Drift's own test token as quote token. Source: Drift SDK, `config.ts` */
const DRIFT_V2_DEVNET_INSTANCE: DriftInstance = {
  ...DRIFT_V2_INSTANCE,
  quote: { ...drift.quote, mint: address("8zGuJQqwhZafTah7Uc7Z4tXRnguqkn5KLFAP8oV6PHe2") },
};

/** Drift's instance on each network. */
export const DRIFT_INSTANCES: Readonly<Record<Network, DriftInstance>> = {
  practice: DRIFT_V2_INSTANCE,
  paper: DRIFT_V2_INSTANCE,
  devnet: DRIFT_V2_DEVNET_INSTANCE,
  mainnet: DRIFT_V2_INSTANCE,
};

/** Velocity, Drift's successor: declared, but not usable before its interface file is added. */
export const VELOCITY_INSTANCE: DriftInstance = {
  name: "velocity",
  quote: {
    symbol: "USDT",
    mint: address("Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"),
    decimals: 6,
  },
  setUpSizes: [4496, USER_STATS_SIZE],
  unrecoverableSizes: [USER_STATS_SIZE],
  unrecoverableWhat: "Statistics account",
  programId: address("vELoC1audYbSYVRXn1vPaV8Axoa9oU6BYmNGZZBDZ1P"),
  stateSeed: "velocity_state",
  signerSeed: "velocity_signer",
  quoteSpotMarketIndex: 0,
  perpMarketIndexes: {},
  userSize: 4496,
  disabledReason: "Velocity is not available yet: its program's interface file has not been added.",
};

/** Returns the name of a market by its index; undefined where this product does not trade it. */
export const tradedMarket = (
  { perpMarketIndexes }: DriftInstance,
  index: number | undefined,
): string | undefined => Object.entries(perpMarketIndexes).find(([, each]) => each === index)?.[0];

/** Returns the name of a market, or its number where this product does not trade it. */
export const marketName = (instance: DriftInstance, index: number): string =>
  tradedMarket(instance, index) ?? `PERP-${index}`;
