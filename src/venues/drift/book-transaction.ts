import type { Address } from "@solana/kit";
import type { LedgerAccount, LedgerMovement } from "../../domain/ledger/entry.ts";
import type { TransactionOutcome } from "../../solana/chain.ts";
import { associatedTokenAddress } from "../../solana/programs/associated-token.ts";
import { linesOf } from "../../solana/program-logs.ts";
import {
  flowMovements,
  lamportMovements,
  tokenChange,
  VAULT,
  walletChange,
} from "../ledger-reading.ts";
import type { VenueAccount } from "../venue.ts";
import {
  type BookEvent,
  DEPOSIT_DIRECTION,
  LIQUIDATION_TYPE,
  parseBookEvent,
} from "./book-events.ts";
import {
  keeperRewardOf,
  ORDER_ACTION,
  type OrderActionRecord,
  ownSide,
} from "./order-action-record.ts";
import { deriveUser, deriveUserStats } from "./pdas.ts";
import { type DriftInstance, marketName } from "./instance.ts";

/** Base amounts of perpetual markets have nine decimals. */
export const BASE_DECIMALS = 9;

/** `marketType` of a perpetual market's order. */
const PERP = 1;

/** One exchange account of an agent. */
interface BookUser {
  readonly address: Address;
  readonly subAccount: number;
}

/** Returns every exchange account the agent has had: numbers increase and are never reused. */
export function bookUsers(instance: DriftInstance, account: VenueAccount): readonly BookUser[] {
  return Array.from({ length: account.subAccountId + 1 }, (_, subAccount) => ({
    address: deriveUser(instance, account.vault, subAccount),
    subAccount,
  }));
}

/** Returns the accounts whose transactions can change the agent's balances. */
export function bookAddresses(instance: DriftInstance, account: VenueAccount): readonly Address[] {
  const users = bookUsers(instance, account).map(({ address }) => address);
  return [...users, account.vault, associatedTokenAddress(account.vault, instance.quote.mint)];
}

/** Returns the ledger movements of a landed transaction, from the exchange's events and the balance changes. */
export function bookTransaction(
  instance: DriftInstance,
  account: VenueAccount,
  outcome: TransactionOutcome,
): readonly LedgerMovement[] {
  if (outcome.error !== null) return [];
  const { asset, decimals } = quoteOf(instance);
  const users = bookUsers(instance, account);
  const events = linesOf(instance.programId, outcome.logs).flatMap(
    (line) => parseBookEvent(line) ?? [],
  );
  const vaultTokens = associatedTokenAddress(account.vault, instance.quote.mint);
  const places = [
    ...users.map(({ address, subAccount }) => ({
      at: { place: "exchange", subAccount, market: "" } as const,
      change: depositChange(instance, events, address),
    })),
    { at: VAULT, change: tokenChange(outcome, vaultTokens, instance.quote.mint) },
  ];
  const stats = deriveUserStats(instance, account.vault);
  const rented = [...users.map(({ address }) => address), stats, vaultTokens, account.multisig];
  return [
    ...flowMovements(
      { asset, decimals },
      places,
      walletChange(outcome, account.owner, instance.quote.mint),
    ),
    ...users.flatMap((user) => events.flatMap((event) => positionMovements(instance, user, event))),
    ...lamportMovements(outcome, account, rented),
  ];
}

/**
 * Returns the rewards of referrers in a transaction. Anybody can make an agent's first account his referrer, and the
 * event of a fill does not say whose account got its reward.
 */
export function referrerRewards(
  instance: DriftInstance,
  account: VenueAccount,
  outcome: TransactionOutcome,
): readonly LedgerMovement[] {
  if (outcome.error !== null) return [];
  const own = new Set(bookUsers(instance, account).map(({ address }) => address));
  return linesOf(instance.programId, outcome.logs).flatMap((line): readonly LedgerMovement[] => {
    const event = parseBookEvent(line);
    if (event?.kind !== "order" || event.record.marketType !== PERP) return [];
    const { referrerReward, taker, marketIndex } = event.record;
    if (referrerReward === null || (taker !== null && own.has(taker))) return [];
    const market = marketName(instance, marketIndex);
    const at = { place: "position", subAccount: 0, market } as const;
    return [{ ...at, ...quoteOf(instance), kind: "external", amount: BigInt(referrerReward) }];
  });
}

const quoteOf = ({ quote }: DriftInstance) => ({ asset: quote.symbol, decimals: quote.decimals });

function depositChange(
  { quoteSpotMarketIndex }: DriftInstance,
  events: readonly BookEvent[],
  user: Address,
): bigint {
  return events.reduce((sum, event) => {
    if (event.kind !== "deposit" || event.record.user !== user) return sum;
    const { marketIndex, direction, amount } = event.record;
    if (marketIndex !== quoteSpotMarketIndex) return sum;
    return direction === DEPOSIT_DIRECTION.deposit ? sum + amount : sum - amount;
  }, 0n);
}

function positionMovements(
  instance: DriftInstance,
  { address, subAccount }: BookUser,
  event: BookEvent,
): readonly LedgerMovement[] {
  const position = (marketIndex: number): Omit<LedgerAccount, "asset"> => ({
    place: "position",
    subAccount,
    market: marketName(instance, marketIndex),
  });
  const exchange = { place: "exchange", subAccount, market: "" } as const;
  const quote = quoteOf(instance);
  switch (event.kind) {
    case "deposit":
      return [];
    case "order":
      return orderMovements(event.record, address, {
        ...position(event.record.marketIndex),
        ...quote,
      });
    case "funding": {
      const { user, marketIndex, fundingPayment } = event.record;
      if (user !== address) return [];
      return [{ ...position(marketIndex), ...quote, kind: "funding", amount: fundingPayment }];
    }
    case "settlement": {
      const { user, marketIndex, pnl } = event.record;
      if (user !== address) return [];
      return [
        { ...position(marketIndex), ...quote, kind: "settlement", amount: -pnl },
        { ...exchange, ...quote, kind: "settlement", amount: pnl },
      ];
    }
    case "liquidation": {
      const { user, liquidationType, pnlForDeposit, perpBankruptcy } = event.record;
      if (user !== address) return [];
      if (liquidationType === LIQUIDATION_TYPE.pnlForDeposit) {
        const { perpMarketIndex, pnlTransfer, assetMarketIndex, assetTransfer } = pnlForDeposit;
        const isQuote = assetMarketIndex === instance.quoteSpotMarketIndex;
        return [
          { ...position(perpMarketIndex), ...quote, kind: "settlement", amount: pnlTransfer },
          ...(isQuote
            ? [{ ...exchange, ...quote, kind: "settlement" as const, amount: -assetTransfer }]
            : []),
        ];
      }
      if (liquidationType !== LIQUIDATION_TYPE.perpBankruptcy) return [];
      const { marketIndex, pnl } = perpBankruptcy;
      return [{ ...position(marketIndex), ...quote, kind: "external", amount: -pnl }];
    }
  }
}

type PositionQuote = LedgerAccount & { readonly decimals: number };

/**
 * Returns the movements of a fill with its fee, and of rewards paid to a keeper for cancelling or triggering an order,
 * which belong to the position as long as there is one.
 */
function orderMovements(
  record: OrderActionRecord,
  user: Address,
  at: PositionQuote,
): readonly LedgerMovement[] {
  const own = ownSide(record, user);
  if (record.marketType !== PERP || own === undefined) return [];
  const { isBuying, base: size, quote: paid, fee } = own;
  const base = { marketId: at.market, decimals: BASE_DECIMALS, amount: 0n };
  if (record.action !== ORDER_ACTION.fill) {
    const reward = keeperRewardOf(record, user);
    return reward === 0n ? [] : [{ ...at, kind: "fee", amount: -reward, base }];
  }
  return [
    {
      ...at,
      kind: "trade",
      amount: isBuying ? -paid : paid,
      base: { ...base, amount: isBuying ? size : -size },
    },
    ...(fee === 0n ? [] : [{ ...at, kind: "fee" as const, amount: -fee }]),
  ];
}
