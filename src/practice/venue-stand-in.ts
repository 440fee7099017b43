import type { Address } from "@solana/kit";
import type { PriceSource } from "./price-source.ts";
import type { AccountState, ReadAccount } from "./runtime/account-state.ts";
import type { ChainTime, Program } from "./runtime/program.ts";

/** The time of the chain, with the milliseconds market prices go by. */
export type PracticeTime = ChainTime & { readonly nowMs: number };

/** What the practice chain runs in place of one venue: its program, its accounts, and what moves there by itself. */
export interface VenueStandIn {
  readonly program: Program;
  /** Accounts the chain starts with. */
  accounts(unixTime: bigint): ReadonlyMap<Address, AccountState>;
  /** Returns the quote token's mint with what the venue's own pools start with. */
  withPools(mint: AccountState): AccountState;
  /** Accounts of an earlier version as this one has them; absent: none ever changed. */
  upgraded?(
    current: ReadonlyMap<Address, AccountState>,
    stored: ReadAccount,
  ): ReadonlyMap<Address, AccountState>;
  /** Reads the chain as it is now: prices and whatever else no transaction writes. */
  live(account: ReadAccount, prices: PriceSource, time: PracticeTime): ReadAccount;
  /** What the transactions of all its agents share. */
  sharedAddresses(): readonly Address[];
}
