import type { Address, Instruction } from "@solana/kit";
import type { LedgerMovement } from "../domain/ledger/entry.ts";
import type { Approved, Fill, OrderIntent } from "../domain/order/order.ts";
import type { Distance } from "../domain/plan/plan.ts";
import type { AccountState } from "../domain/position.ts";
import type { KnownTradingCosts } from "../domain/trading-costs.ts";
import type { Chain, TransactionOutcome } from "../solana/chain.ts";
import type { LedgerReading } from "./ledger-reading.ts";
import type {
  FoundResting,
  LandedOrder,
  OrderReport,
  OrderTransaction,
  PricedOrder,
  ProtectiveAct,
  RestingOrder,
  RestingProgress,
  RestingProtective,
  WantedProtective,
} from "./placed-order.ts";
import type { PlanStep } from "./plan-step.ts";
import type { VaultAsset, VenueAccount, VenueFacts } from "./venue.ts";
import type { IssuedToken } from "../domain/issuer-power.ts";

/** Whether a venue takes new entries and deposits. Closing and withdrawing are offered in every state. */
export interface VenueHealth {
  readonly status: "available" | "paused" | "coming soon" | "retired";
  /** Reason, one sentence for the user, whenever the status is not `available`. */
  readonly reason?: string;
  /** Tokens held here whose issuers can freeze, take back, pause or redirect them; absent: the chain was not asked. */
  readonly issued?: readonly IssuedToken[];
}

/** A venue's price of one market. Prices and confidence in quote units with six decimals per whole asset. */
export interface MarketPrice {
  readonly price: bigint;
  readonly confidence: bigint;
  /** Publication time at the source, Unix milliseconds. */
  readonly publishedAtMs: number;
  /** False while the venue would refuse to fill at this price because of its age; absent: it has no such rule. */
  readonly isFillable?: boolean;
  /** False while too few of its sources agree for an entry; absent: the venue has an oracle of its own. */
  readonly isConfirmed?: boolean;
}

/**
 * Trades on a venue: prices, accounts, and the trading key's orders.
 *
 * Reads can throw `ChainUnavailableError`; a missing answer is never an empty account. Orders must be `Approved`.
 */
export interface TradingPort {
  health(): Promise<VenueHealth>;
  /**
   * Returns the present price of a market, quote units with six decimals, with its age and confidence for the risk
   * checks.
   */
  price(marketId: string): Promise<MarketPrice>;
  /** Returns the trading costs of a market as far as the venue publishes them. */
  tradingCosts(marketId: string): Promise<KnownTradingCosts>;
  /** Asks this node of the chain where one is named. */
  accountState(account: VenueAccount, on?: Chain): Promise<AccountState>;
  /** Returns the states of many accounts in as few reads as possible, in the order given. */
  accountStates(accounts: readonly VenueAccount[]): Promise<readonly AccountState[]>;
  /**
   * Builds the trading key's order. `seen` is the account as the decision on the order read it: a venue that still has
   * what it read then, a moment ago, builds from that instead of reading again.
   *
   * With `protective` the same transaction makes the market's protective orders these. Without it an exit cancels them,
   * and an entry leaves them, unless there is no position that they could belong to.
   */
  buildOrder(
    account: VenueAccount,
    order: Approved<OrderIntent>,
    seen?: AccountState,
    protective?: WantedProtective,
  ): Promise<PricedOrder>;
  /**
   * Returns the orders of an account that rest until a price is reached, by whoever placed them; absent for venues that
   * keep none: there the server watches the prices. Asks this node of the chain where one is named.
   */
  protectiveOrders?(account: VenueAccount, on?: Chain): Promise<readonly RestingProtective[]>;
  /**
   * Returns for each account whether its position in its market lacks the stop that its plan asks for, in as few reads as
   * possible, in the order given; absent for venues that keep no protective orders.
   */
  lackStops?(
    wanted: readonly { readonly account: VenueAccount; readonly at: Distance }[],
  ): Promise<readonly boolean[]>;
  /**
   * Returns the trading key's instructions that make a market's protective orders the wanted ones, or null when they
   * are. One that is triggered is left to fill as long as its key is wanted.
   */
  buildProtective?(
    account: VenueAccount,
    wanted: WantedProtective,
  ): Promise<OrderTransaction | null>;
  /** Returns what a landed transaction, also a third party's, did to orders of the account, in its order. */
  protectiveActs?(account: VenueAccount, outcome: TransactionOutcome): readonly ProtectiveAct[];
  /**
   * Returns the trading key's instructions that settle a market's realized PnL; empty when the venue settles by itself.
   */
  buildSettle(account: VenueAccount, marketId: string): Promise<readonly Instruction[]>;
  reportOrder(account: VenueAccount, outcome: TransactionOutcome): OrderReport;
  /**
   * Returns the order that came to rest, for venues whose orders rest; null where the account does not show exactly one
   * that can be it: then its transaction tells.
   */
  findResting?(account: VenueAccount, landed: LandedOrder): Promise<FoundResting | null>;
  /** Returns the present state of a resting order, for venues whose orders rest. */
  followOrder?(account: VenueAccount, resting: RestingOrder): Promise<RestingProgress>;
  /**
   * Returns the fills of a resting order in any landed transaction, also a third party's; empty when it does not
   * concern the order.
   */
  fillsOfResting?(
    account: VenueAccount,
    resting: RestingOrder,
    outcome: TransactionOutcome,
  ): readonly Fill[];
}

/** On-chain spending limit of the trading key for one token. Amounts in the token's base units. */
export interface VenueLimit {
  readonly symbol: string;
  readonly decimals: number;
  readonly amount: bigint;
  /** Remaining amount at present. */
  readonly remaining: bigint;
  readonly period: "once" | "day" | "week" | "month";
  /** The only owners whose accounts may receive the tokens; empty would mean anybody. */
  readonly destinations: readonly Address[];
  /** Account on chain that holds the limit. */
  readonly account: Address;
}

/** Custody facts of an agent's account on a venue. */
export interface VenueCustody {
  /** Address whose transactions belong to the agent; null before it exists and after its deletion. */
  readonly account: Address | null;
  /** Key that may trade at present; null when nobody may. */
  readonly tradingKey: Address | null;
  /** Rent the account returns to the vault on deletion, in lamports. */
  readonly heldLamports: bigint;
  /**
   * Unix milliseconds from which the venue allows deletion, if the account is empty; null when that is now, `never` when
   * it does not.
   */
  readonly deletableAtMs: number | "never" | null;
  /** Rent of the account that can never be recovered, in lamports; absent: the instance's sizes apply. */
  readonly unrecoverableLamports?: bigint;
  /** Largest leverage the account takes orders of by its own setting; absent: it has none. */
  readonly leverage?: number | undefined;
  /** The trading key's limits, the quote token's first; absent for venues without limits. */
  readonly limits?: readonly VenueLimit[];
  /** The instance's assets held in the vault, including dust; absent where the venue holds positions. */
  readonly assets?: readonly (Pick<VaultAsset, "marketId" | "decimals"> & {
    readonly held: bigint;
  })[];
  /** On-chain permissions beyond the agent's own, one sentence each; absent where none are possible. */
  readonly excessPermissions?: readonly string[];
}

/**
 * Plans what an owner signs for an agent's account on a venue, and reads who may do what with it.
 *
 * Reads can throw `ChainUnavailableError`; a missing answer is never an empty account.
 */
export interface CustodyPort {
  /** Returns the addresses that all agents' transactions share, for the deployment's lookup table. Each once. */
  sharedAddresses(): Promise<readonly Address[]>;
  /**
   * Returns the number of the agent's account, or the next number it can be opened with, for venues that never reuse a
   * number; absent: the account's own.
   */
  accountNumber?(account: VenueAccount): Promise<number>;
  planSetUp(account: VenueAccount, accountName: string): Promise<readonly PlanStep[]>;
  planDeposit(account: VenueAccount, amount: bigint): Promise<PlanStep>;
  /** Throws `RangeError` when the venue does not allow the remaining balance. */
  planWithdraw(account: VenueAccount, amount: bigint): Promise<PlanStep>;
  /**
   * Renames the venue's account after the agent, for venues that store a name; without instructions when it has the
   * name.
   */
  planRename?(account: VenueAccount, accountName: string): Promise<PlanStep>;
  /**
   * Closes positions with the owner's own authority, all of them or the first; a step without instructions when nothing
   * is open. Throws `NoRouteError` when there is no buyer, `PlanRefusedError` when the account holds what is not traded
   * here.
   */
  planClose(account: VenueAccount): Promise<PlanStep>;
  /**
   * Moves an asset, or the first held one when none is named, from the vault to the owner's wallet unsold; without
   * instructions when the vault holds none. Absent where positions are not tokens.
   */
  planMoveOut?(account: VenueAccount, marketId?: string): Promise<PlanStep>;
  /** Settles realized gain or loss into the balance before a withdrawal; without instructions when there is none. */
  planSettle(account: VenueAccount): Promise<PlanStep>;
  /** Revokes the trading key; without instructions when no key may trade. */
  planRevoke(account: VenueAccount): Promise<PlanStep>;
  /**
   * Replaces the trading key's spending limits in one transaction, for venues that have them. `quoteLimit` in quote
   * base units a day; throws `RangeError` for an implausible one. Empty when the limits already match.
   */
  planLimits?(account: VenueAccount, quoteLimit: bigint): Promise<readonly PlanStep[]>;
  /**
   * Lets an account that is set up take orders of its agent's leverage, for venues that have one; empty when it does.
   */
  planLeverage?(account: VenueAccount): Promise<readonly PlanStep[]>;
  readCustody(account: VenueAccount): Promise<VenueCustody>;
  /** Returns the on-chain accounts of the trading key's limits after set-up, for venues that have them. */
  limitAccounts?(account: VenueAccount): { readonly quote: Address; readonly asset: Address };
  /**
   * Returns the steps possible now towards an empty, deleted venue account. Amounts of later steps depend on earlier
   * ones: call it again after these landed. Empty when nothing is left, or when the venue does not allow deletion yet.
   * Throws `PlanRefusedError` as `planClose` does.
   */
  planTearDown(account: VenueAccount): Promise<readonly PlanStep[]>;
}

/** A change of an agent's positions by a landed transaction of the owner. Sizes in base units. */
export type OwnerActivity =
  | {
      readonly kind: "trade";
      readonly marketId: string;
      readonly side: "buy" | "sell";
      readonly fill: Fill;
    }
  /** The asset itself was transferred to the owner's wallet. */
  | { readonly kind: "transfer"; readonly marketId: string; readonly baseSize: bigint };

/** External activity: the effect on an agent's account of a landed transaction this product did not make. */
export interface ExternalActivity {
  /**
   * `upkeep` is routine venue activity: filling and expiring existing orders, settling, liquidating others. `cut`: what
   * it did is not known, because only part of its log was kept. `trade`: somebody placed an order in the account or
   * moved traded tokens out of the vault, which only the owner and a holder of the trading key can do.
   */
  readonly kind: "upkeep" | "liquidation" | "trade" | "unknown" | "cut";
  /** Base units bought less base units sold by the account's orders, by market; for upkeep only. */
  readonly fills: ReadonlyMap<string, bigint>;
}

/** Reads landed transactions of an agent's account on a venue into movements and activities. */
export interface BookPort {
  /** Distinguishes routine venue activity from other transactions; absent: every foreign transaction is unknown. */
  classifyExternal?(account: VenueAccount, outcome: TransactionOutcome): ExternalActivity;
  /** Returns the trades and transfers of a landed transaction of the owner, one entry per market and side. */
  ownerActivity(account: VenueAccount, outcome: TransactionOutcome): readonly OwnerActivity[];
  /** Returns the accounts whose transactions can change the ledger, including accounts that do not exist yet. */
  bookAddresses(account: VenueAccount): readonly Address[];
  /** Returns the accounts that only transactions for this agent write: nobody competes for them. */
  ownAddresses(account: VenueAccount): readonly Address[];
  /** Returns the ledger movements of a landed transaction. Throws on a known event that cannot be decoded. */
  bookTransaction(account: VenueAccount, outcome: TransactionOutcome): readonly LedgerMovement[];
  /**
   * Returns what a landed transaction may have credited to the account without naming it; the account's balance tells
   * whether it did. Absent where every change names its account.
   */
  possibleCredits?(account: VenueAccount, outcome: TransactionOutcome): readonly LedgerMovement[];
  /** Reads the agent's on-chain balances, by account of the ledger. */
  readLedger(account: VenueAccount): Promise<LedgerReading>;
}

/**
 * A place where orders execute, as the server opens it. Users take the port they need; the signer (`order-signing.ts`)
 * and the approval in the browser (`venue-approval.ts`) have ports of their own.
 */
export interface Venue extends VenueFacts, TradingPort, CustodyPort, BookPort {}
