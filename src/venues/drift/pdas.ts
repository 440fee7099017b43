import { type Address, getU16Encoder } from "@solana/kit";
import { addressBytes } from "../../solana/encoding/address-codec.ts";
import type { VenueAccount } from "../venue.ts";
import { deriveAddress } from "../../solana/encoding/pda.ts";
import type { DriftInstance } from "./instance.ts";

/** The fields of an instance that derived addresses depend on. */
export type DriftIds = Pick<DriftInstance, "programId" | "stateSeed" | "signerSeed">;

const u16 = (value: number): Uint8Array => new Uint8Array(getU16Encoder().encode(value));

/** Derives the exchange's state account. */
export function deriveState(ids: DriftIds): Address {
  return deriveAddress(ids.programId, [ids.stateSeed]).address;
}

/** Derives the address that owns the exchange's token vaults. */
export function deriveSigner(ids: DriftIds): Address {
  return deriveAddress(ids.programId, [ids.signerSeed]).address;
}

/** Derives the account of one authority's sub-account. */
export function deriveUser(ids: DriftIds, authority: Address, subAccountId: number): Address {
  return deriveAddress(ids.programId, ["user", addressBytes(authority), u16(subAccountId)]).address;
}

/** Derives the account of an agent. */
export const userAddressOf = (ids: DriftIds, { vault, subAccountId }: VenueAccount): Address =>
  deriveUser(ids, vault, subAccountId);

/** Derives an authority's statistics account. */
export function deriveUserStats(ids: DriftIds, authority: Address): Address {
  return deriveAddress(ids.programId, ["user_stats", addressBytes(authority)]).address;
}

/** Derives a spot market's account. */
export function deriveSpotMarket(ids: DriftIds, marketIndex: number): Address {
  return deriveAddress(ids.programId, ["spot_market", u16(marketIndex)]).address;
}

/** Derives the token account that holds a spot market's deposits. */
export function deriveSpotMarketVault(ids: DriftIds, marketIndex: number): Address {
  return deriveAddress(ids.programId, ["spot_market_vault", u16(marketIndex)]).address;
}

/** Derives a perpetual market's account. */
export function derivePerpMarket(ids: DriftIds, marketIndex: number): Address {
  return deriveAddress(ids.programId, ["perp_market", u16(marketIndex)]).address;
}

/** Derives the account of a market's Pyth pull price. */
export function derivePythPullOracle(ids: DriftIds, feedId: Uint8Array): Address {
  return deriveAddress(ids.programId, ["pyth_pull", feedId]).address;
}
