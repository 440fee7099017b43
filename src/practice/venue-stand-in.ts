import type { Address } from "@solana/kit";
import type { PriceSource } from "./price-source.ts";
import type { AccountState, ReadAccount } from "./runtime/account-state.ts";
import type { ChainTime, Program } from "./runtime/program.ts";

/** Chain time together with the milliseconds that market prices depend on. */
export type PracticeTime = ChainTime & { readonly nowMs: number };

/**
 * Stand-in for one venue on the practice chain: its program, its accounts, and state that changes without transactions.
 */
export interface VenueStandIn {
  readonly program: Program;
  /** Returns the venue's genesis accounts. */
  accounts(unixTime: bigint): ReadonlyMap<Address, AccountState>;
  /** Quote tokens in the venue's pools at genesis, in base units. */
  readonly quotePool: bigint;
  /** Returns upgraded accounts of an earlier version; absent: no account ever changed. */
  upgraded?(
    current: ReadonlyMap<Address, AccountState>,
    stored: ReadAccount,
  ): ReadonlyMap<Address, AccountState>;
  /** Returns accounts as of now: prices and other state that no transaction writes. */
  live(account: ReadAccount, prices: PriceSource, time: PracticeTime): ReadAccount;
  /** Returns the addresses that all its agents' transactions share. */
  sharedAddresses(): readonly Address[];
}
