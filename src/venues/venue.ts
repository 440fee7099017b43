import type { Address } from "@solana/kit";
import type { VenueId } from "../domain/venue-id.ts";
import type { ProgramErrors } from "../solana/program-errors.ts";

/** Settlement token of a venue. */
export interface QuoteAsset {
  readonly symbol: string;
  readonly mint: Address;
  readonly decimals: number;
}

/** A token other than the quote token that a vault can hold. `decimals` are the mint's own. */
export interface VaultAsset {
  /** Market name, for instance SOL. */
  readonly marketId: string;
  readonly mint: Address;
  readonly decimals: number;
  readonly tokenProgram: Address;
}

/** A venue on one network: its addresses and sizes, used by plans and shown to users. */
export interface VenueInstance {
  readonly name: string;
  readonly programId: Address;
  readonly quote: QuoteAsset;
  /** Size in bytes of each account the vault pays for once per agent; the rent is read from the chain. */
  readonly setUpSizes: readonly number[];
  /** Size in bytes of each account of one agent whose rent can never be recovered. */
  readonly unrecoverableSizes: readonly number[];
  /** Name of those accounts, for instance `Statistics account`. */
  readonly unrecoverableWhat: string;
  /** Assets a vault itself holds after a purchase; absent where the venue holds positions. */
  readonly assets?: readonly VaultAsset[];
}

/** One agent's accounts on chain. The vault is the venue account's authority, the trading key may only trade. */
export interface VenueAccount {
  readonly owner: Address;
  readonly multisig: Address;
  readonly vault: Address;
  readonly tradingKey: Address;
  /** 0 until the venue reports another number; numbers are never reused after a deletion. */
  readonly subAccountId: number;
  /** Market the agent is set to, for venues whose permissions are per asset. */
  readonly marketId?: string;
  /** Leverage of the agent's entries, for venues whose accounts are set to one; absent: 1. */
  readonly leverage?: number;
}

/** Identity of a venue on one network. */
export interface VenueFacts {
  readonly id: VenueId;
  readonly instance: VenueInstance;
  /**
   * True where the chain stores neither cost basis nor deposits: entry price, PnL and net deposits of an account are
   * then placeholders for the caller to fill in from its records. Absent: they are the venue's.
   */
  readonly keepsNoCost?: true;
  /** Error table of the venue's programs, for `explainFailure` on a failed plan. */
  readonly programErrors: ProgramErrors;
}
