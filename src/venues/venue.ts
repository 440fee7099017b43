import type { Address, Instruction } from "@solana/kit";
import type { DenialReason } from "../domain/denial.ts";
import type { Approved, Fill, OrderIntent } from "../domain/order/order.ts";
import type { LedgerMovement } from "../domain/ledger/entry.ts";
import type { AccountState } from "../domain/position.ts";
import type { KnownTradingCosts } from "../domain/trading-costs.ts";
import type { TradingState } from "../domain/trading-state.ts";
import type { VenueId } from "../domain/venue-id.ts";
import type { TransactionOutcome } from "../solana/chain.ts";
import type { LookupTables } from "../solana/programs/squads-message.ts";
import type { ProgramErrors } from "../solana/encoding/error-table.ts";
import type { BookReading } from "./book.ts";

/** Whether a venue takes new entries and deposits. Closing and withdrawing stay offered in every state. */
export interface VenueHealth {
  readonly status: "available" | "paused" | "coming soon" | "retired";
  /** One sentence for the user whenever the status is not `available`. */
  readonly reason?: string;
}

/** The token a venue settles in. */
export interface QuoteAsset {
  readonly symbol: string;
  readonly mint: Address;
  readonly decimals: number;
}

/** A token other than the quote token that a vault itself can hold. `decimals` are the mint's own. */
export interface VaultAsset {
  /** Market name, for instance SOL. */
  readonly marketId: string;
  readonly mint: Address;
  readonly decimals: number;
  readonly tokenProgram: Address;
}

/** A venue as it stands on one network: its addresses and sizes, read by plans and shown to users. */
export interface VenueInstance {
  readonly name: string;
  readonly quote: QuoteAsset;
  /** Bytes of each account the vault pays for once for one agent; what they cost the chain says. */
  readonly setUpSizes: readonly number[];
  /** Bytes of each account of one agent whose rent can never be recovered. */
  readonly unrecoverableSizes: readonly number[];
  /** What that is, for instance `Statistics account`. */
  readonly unrecoverableWhat: string;
  /** What lies in the vault itself once it is bought; absent where the venue holds positions. */
  readonly assets?: readonly VaultAsset[];
}

/** The accounts of one agent on chain. The vault is the venue account's authority, the delegate may only trade. */
export interface VenueAccount {
  readonly owner: Address;
  readonly multisig: Address;
  readonly vault: Address;
  readonly delegate: Address;
  /** 0 until the venue says otherwise; numbers are never reused after a deletion. */
  readonly subAccountId: number;
  /** Market the agent is set to, for venues whose permissions are per asset. */
  readonly marketId?: string;
}

/** A fact about the chain that shows a step did what it was for. */
export type ExpectedEffect =
  | { readonly kind: "account_exists"; readonly address: Address; readonly programId: Address }
  | { readonly kind: "account_gone"; readonly address: Address }
  /** The account holds these bytes from there on; `hex` in lower case. */
  | {
      readonly kind: "bytes_at";
      readonly address: Address;
      readonly offset: number;
      readonly hex: string;
    }
  | { readonly kind: "lamports_at_least"; readonly address: Address; readonly lamports: bigint }
  | {
      readonly kind: "token_delta";
      readonly account: Address;
      readonly mint: Address;
      /** Base units the account changed by within the landed transaction. */
      readonly delta: bigint;
    };

/**
 * One transaction the owner signs. `before` and `after` run with the owner's own authority; `asVault` runs with the
 * vault's, wrapped by custody into create, approve, execute and close of one multisig transaction.
 */
export interface PlanStep {
  readonly label: string;
  readonly before: readonly Instruction[];
  readonly asVault: readonly Instruction[];
  readonly after: readonly Instruction[];
  readonly computeUnitLimit: number;
  readonly expects: readonly ExpectedEffect[];
  /** Rent the owner's wallet pays for what the step opens; absent: none. */
  readonly ownerRentLamports?: bigint;
  /** Lookup tables the step needs to fit, as read from the chain; absent: none. */
  readonly tables?: LookupTables;
}

/** Nobody trades what is to be sold at an acceptable price now; the message is a sentence for the owner. */
export class NoRouteError extends Error {
  override readonly name = "NoRouteError";
}

/** What a landed transaction of the owner did to an agent's positions. Sizes in base units. */
export type OwnerDeed =
  | {
      readonly kind: "trade";
      readonly marketId: string;
      readonly side: "buy" | "sell";
      readonly fill: Fill;
    }
  /** The asset itself left for the owner's wallet. */
  | { readonly kind: "transfer"; readonly marketId: string; readonly baseSize: bigint };

/** Instructions the delegate signs for one order. Their compute limit is the most they are ever given, their price the least. */
export interface OrderTransaction {
  readonly instructions: readonly Instruction[];
  /** Lookup tables the instructions need to fit, as read from the chain; absent: none. */
  readonly tables?: LookupTables;
}

/** An order as a venue built it. */
export interface PricedOrder extends OrderTransaction {
  /** Worst price the venue fills it at, quote units with six decimals per whole asset. */
  readonly worstPrice: bigint;
  /** Base units it asks for: what the market takes of the size it was decided at. */
  readonly baseSize: bigint;
}

/** The venue will not build an order. Nothing was signed. */
export class OrderRefusedError extends Error {
  override readonly name = "OrderRefusedError";
  readonly reason: DenialReason;
  constructor(reason: DenialReason, detail?: string) {
    super(
      detail === undefined ? `Order refused: ${reason}` : `Order refused: ${reason}: ${detail}`,
    );
    this.reason = reason;
  }
}

/**
 * Says why the delegate must not sign an instruction for an account, or null when it may.
 *
 * Sees instructions as read back from the compiled message: roles are the message's, not the builder's.
 */
export type OrderAllowList = (
  account: VenueAccount,
  instruction: Required<Instruction>,
) => string | null;

/** What a signature is for: an order, filling or taking back one that rests, or settling gain and loss. */
export const SIGNING_PURPOSES = ["order", "follow_up", "settlement"] as const;

export type SigningPurpose = (typeof SIGNING_PURPOSES)[number];

/** What the signer knows by itself of an agent when it is asked to sign. */
export interface SigningTerms {
  /** Market the agent is set to. */
  readonly marketId: string;
  /** Basis points an entry's price may be worse than the market's, 1 to 500. */
  readonly slippageBps: number;
  /** What operator and owner allow: everything, only reducing, no order at all. */
  readonly tradingState: TradingState;
}

/**
 * Says why the delegate must not sign these instructions together, each of which the allow-list admits, or null when it
 * may. Prices and accounts are the signer's own reading of the chain; throws `ChainUnavailableError` without one.
 */
export type OrderLimits = (
  account: VenueAccount,
  instructions: readonly Required<Instruction>[],
  purpose: SigningPurpose,
  terms: SigningTerms,
) => Promise<string | null>;

/** What a trading key signs on one venue of one network. */
export interface SigningRules {
  readonly allow: OrderAllowList;
  readonly limit: OrderLimits;
}

/** How much of one token the trading key may move, as the chain holds it. Amounts in the token's base units. */
export interface VenueLimit {
  readonly symbol: string;
  readonly decimals: number;
  readonly amount: bigint;
  /** What may still be moved now. */
  readonly remaining: bigint;
  readonly period: "once" | "day" | "week" | "month";
  /** The only accounts' owners it may go to; empty would mean anybody. */
  readonly destinations: readonly Address[];
  /** Account on chain that holds the limit. */
  readonly account: Address;
}

/** What custody has to know of an agent's account on a venue. */
export interface VenueCustody {
  /** Address whose transactions are the agent's; null before it exists and after it was deleted. */
  readonly account: Address | null;
  /** Key that may trade now; null when nobody may. */
  readonly delegate: Address | null;
  /** Rent the account holds and gives back to the vault when it is deleted. */
  readonly heldLamports: bigint;
  /** Unix milliseconds from which the venue would delete it, its emptiness aside; null when that is now. */
  readonly deletableAtMs: number | null;
  /** What can never be recovered of it as it stands; absent: what the instance says. */
  readonly unrecoverableLamports?: bigint;
  /** The trading key's limits, the quote token's first; absent where a venue knows none. */
  readonly limits?: readonly VenueLimit[];
  /** What lies in the vault itself of the instance's assets, dust included; absent where the venue holds positions. */
  readonly assets?: readonly (Pick<VaultAsset, "marketId" | "decimals"> & {
    readonly held: bigint;
  })[];
  /** Permissions on chain that are not the ones this agent was given, one sentence each; absent: none can be. */
  readonly excessPermissions?: readonly string[];
}

/** What a landed transaction that was not made here did to an agent's account. */
export interface ForeignDeed {
  /** `upkeep` is the venue's own running: filling and expiring orders that stand already, settling. */
  readonly kind: "upkeep" | "liquidation" | "unknown";
  /** Base units bought less sold by orders of the account, by market; upkeep only. */
  readonly fills: ReadonlyMap<string, bigint>;
}

/** An order alive at the venue after the transaction that placed it. At most one of an agent's is. */
export interface RestingOrder {
  readonly venueOrderId: string;
  readonly marketId: string;
  /** Base units it was placed for. */
  readonly baseSize: bigint;
  readonly placedSlot: bigint;
  /** Unix milliseconds after which the venue no longer fills it. */
  readonly expiresAtMs: number;
}

/**
 * What a landed order transaction turned out to be. A landed transaction without a fill is `not_filled`; of a partly
 * filled order the rest is cancelled, of a resting one nothing is decided yet.
 */
export type OrderReport =
  | { readonly kind: "filled"; readonly fills: readonly Fill[] }
  | { readonly kind: "partially_filled"; readonly fills: readonly Fill[] }
  | { readonly kind: "resting"; readonly order: RestingOrder }
  | { readonly kind: "not_filled" }
  | { readonly kind: "rejected"; readonly reason: string; readonly retryable: boolean };

/**
 * Where a resting order stands. `filledBase` is what it has filled so far, whoever filled it. `fillable` and `cancellable`
 * carry what the delegate sends to fill it now, or to take it back once it expired; sent again they change nothing.
 */
export type RestingProgress =
  | { readonly kind: "alive"; readonly filledBase: bigint }
  | {
      readonly kind: "fillable";
      readonly filledBase: bigint;
      readonly transaction: OrderTransaction;
    }
  | {
      readonly kind: "cancellable";
      readonly filledBase: bigint;
      readonly transaction: OrderTransaction;
    }
  /** Filled whole, cancelled or expired: the fills in the account's transactions say which. */
  | { readonly kind: "gone" };

/**
 * A place where orders execute.
 *
 * Reads can throw `ChainUnavailableError`; a missing answer is never an empty account. Orders must be `Approved`.
 */
export interface Venue {
  readonly id: VenueId;
  readonly instance: VenueInstance;
  /**
   * True where the chain keeps neither what a position cost nor what was deposited: entry price, PnL and net deposits of an
   * account are then placeholders, for whoever keeps the fills and transfers to fill in. Absent: they are the venue's.
   */
  readonly keepsNoCost?: true;
  /** What the venue's program errors mean, for `explainFailure` over a plan that failed. */
  readonly programErrors: ProgramErrors;
  health(): Promise<VenueHealth>;
  /** What the transactions of all its agents share here, for the deployment's lookup table. Each once. */
  sharedAddresses(): Promise<readonly Address[]>;
  /** Current price of a market, quote units with six decimals, with its age and confidence for the risk checks. */
  price(marketId: string): Promise<MarketPrice>;
  /** What trading a market costs, as far as the venue tells. */
  tradingCosts(marketId: string): Promise<KnownTradingCosts>;
  accountState(account: VenueAccount): Promise<AccountState>;
  /** States of many accounts in as few reads as possible, in the order asked. */
  accountStates(accounts: readonly VenueAccount[]): Promise<readonly AccountState[]>;
  buildOrder(account: VenueAccount, order: Approved<OrderIntent>): Promise<PricedOrder>;
  /** Delegate's instructions that settle realized PnL of a market; empty when the venue settles by itself. */
  buildSettle(account: VenueAccount, marketId: string): Promise<readonly Instruction[]>;
  reportOrder(account: VenueAccount, outcome: TransactionOutcome): OrderReport;
  /** Where a resting order stands now, for venues whose orders rest. */
  followOrder?(account: VenueAccount, resting: RestingOrder): Promise<RestingProgress>;
  /** Fills of a resting order in any landed transaction, a stranger's as well; empty when it is not about that order. */
  fillsOfResting?(
    account: VenueAccount,
    resting: RestingOrder,
    outcome: TransactionOutcome,
  ): readonly Fill[];
  /** Tells the venue's own running from what somebody did; absent: whatever was not made here is unknown. */
  judgeForeign?(account: VenueAccount, outcome: TransactionOutcome): ForeignDeed;
  /**
   * Number the agent's account stands at, or the one it can be opened at next, for venues that never use a number twice;
   * absent: the account's own.
   */
  accountNumber?(account: VenueAccount): Promise<number>;
  planSetUp(account: VenueAccount, accountName: string): Promise<readonly PlanStep[]>;
  planDeposit(account: VenueAccount, amount: bigint): Promise<PlanStep>;
  /** Throws `RangeError` when the venue cannot keep what would be left. */
  planWithdraw(account: VenueAccount, amount: bigint): Promise<PlanStep>;
  /** Gives the venue's account the agent's name, for venues that keep one; without instructions when it has it. */
  planRename?(account: VenueAccount, accountName: string): Promise<PlanStep>;
  /**
   * Closes positions with the owner's own authority, all of them or the first; a step without instructions when nothing is
   * open. Throws `NoRouteError` when nobody trades what is open.
   */
  planClose(account: VenueAccount): Promise<PlanStep>;
  /**
   * Moves an asset, or the first one held when none is named, from the vault to the owner's wallet unsold; without
   * instructions when the vault holds none. Absent where positions are no tokens.
   */
  planMoveOut?(account: VenueAccount, marketId?: string): Promise<PlanStep>;
  /** What a landed transaction of the owner traded or moved, one entry per market and side. */
  ownerDeeds(account: VenueAccount, outcome: TransactionOutcome): readonly OwnerDeed[];
  /** Turns realized gain or loss into balance before a withdrawal; without instructions when there is none. */
  planSettle(account: VenueAccount): Promise<PlanStep>;
  /** Takes the trading key away; without instructions when nobody may trade. */
  planRevoke(account: VenueAccount): Promise<PlanStep>;
  /**
   * Replaces the trading key's limits in one transaction, for venues that have such limits. `quoteLimit` in quote base
   * units a day; throws `RangeError` for an implausible one. Empty when they stand already.
   */
  planLimits?(account: VenueAccount, quoteLimit: bigint): Promise<readonly PlanStep[]>;
  readCustody(account: VenueAccount): Promise<VenueCustody>;
  /** Accounts on chain that hold the trading key's limits once it is set up, for venues that have such limits. */
  limitAccounts?(account: VenueAccount): { readonly quote: Address; readonly asset: Address };
  /**
   * What can be done now towards an empty, deleted venue account. Amounts of later steps depend on the outcome of
   * earlier ones: ask again after these landed. Empty when nothing is left, or when the venue would not delete yet.
   */
  planTearDown(account: VenueAccount): Promise<readonly PlanStep[]>;
  withdrawable(account: VenueAccount): Promise<bigint>;
  /** Accounts whose transactions can change what the book holds, those that do not exist yet included. */
  bookAddresses(account: VenueAccount): readonly Address[];
  /** What a landed transaction did to the agent's money. Throws on an event it knows and cannot read. */
  bookTransaction(account: VenueAccount, outcome: TransactionOutcome): readonly LedgerMovement[];
  /** What the chain shows of the agent's money, account by account of the book. */
  readBook(account: VenueAccount): Promise<BookReading>;
}

/** A venue's price of one market. Prices and confidence in quote units with six decimals per whole asset. */
export interface MarketPrice {
  readonly price: bigint;
  readonly confidence: bigint;
  /** Unix milliseconds the source published it at. */
  readonly publishedAtMs: number;
  /** False while the venue would refuse to fill at this price because of its age; absent: it has no such rule. */
  readonly isFillable?: boolean;
}
