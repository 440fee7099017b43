import { mulDiv, toSafeNumber } from "../amount.ts";
import { type Denied, denied } from "../reasons.ts";
import { type ExitPart, sizeToClose } from "../exit.ts";
import type { AgentId, OrderId } from "../ids.ts";
import { type Market, PRICE_DECIMALS } from "../market.ts";
import type { OrderIntent } from "./order.ts";
import type { AccountState, Position, Side } from "../position.ts";
import type { OrderSignal } from "../signal.ts";

/** Share of the free collateral an entry leaves unused, in basis points. */
export const SIZE_RESERVE_BPS = 50n;

/** Highest taker fee of a venue, in basis points of the notional; reserved when an entry is sized. */
export const TAKER_FEE_BPS = 10n;

const BPS = 10_000n;

/** Inputs that decide the size and direction of an order. */
export interface IntentInput {
  readonly orderId: OrderId;
  readonly agentId: AgentId;
  readonly signal: OrderSignal;
  /** 1 for the opening half of a reversal, 0 otherwise. */
  readonly leg: number;
  readonly market: Market;
  readonly account: AccountState;
  /** Quote units with six decimals per whole asset. */
  readonly price: bigint;
  readonly quoteDecimals: number;
  readonly slippageBps: number;
  /** 1 to 100. */
  readonly positionSizePercent: number;
  /** 1 to 5. */
  readonly leverage: number;
  /** Part of the position that a closing closes; absent or null: all of it. */
  readonly part?: ExitPart | null;
  /**
   * Base units that the plan lets an opening add to a position of its side, `done` after its last add; absent or null: it
   * adds nothing.
   */
  readonly add?: bigint | "done" | null;
}

/**
 * An order to be checked; `reopens` means that the signal still has to open its side after this closing order filled.
 */
export interface DerivedIntent {
  readonly kind: "intent";
  readonly intent: OrderIntent;
  readonly reopens: boolean;
}

/**
 * Returns the order a signal asks for in the account's present state, or the denial when there is none.
 *
 * An opening against an opposite position first closes it with an order of its own.
 */
export function deriveIntent(input: IntentInput): DerivedIntent | Denied {
  const { signal, account, market } = input;
  const position = account.positions.find((each) => each.marketId === market.marketId);
  const side: Side = signal === "OPEN_LONG" || signal === "CLOSE_LONG" ? "long" : "short";
  if (market.kind === "spot" && signal === "OPEN_SHORT") return denied("spot_only");
  if (signal === "CLOSE_LONG" || signal === "CLOSE_SHORT") {
    if (position?.side !== side) return denied("nothing_to_close");
    return { kind: "intent", intent: closing(input, position, input.part ?? null), reopens: false };
  }
  if (position?.side === side) {
    return input.add == null
      ? denied(side === "long" ? "already_long" : "already_short")
      : adding(input, side, input.add);
  }
  if (position !== undefined) {
    if (input.leg > 0) return denied("first_leg_failed");
    return { kind: "intent", intent: closing(input, position, null), reopens: true };
  }
  if (isLeverageMissing(input)) return denied("leverage_missing");
  const baseSize = entryBaseSize(input);
  if (baseSize === 0n) return denied(account.bound?.by ?? "size_too_small");
  const { budget, wanted } = entryBudget(input);
  return {
    kind: "intent",
    intent: {
      ...common(input),
      side,
      reduceOnly: false,
      baseSize,
      percentage: input.positionSizePercent,
      ...(budget < wanted && { isLimited: true as const }),
    },
    reopens: false,
  };
}

/**
 * Returns the amount an entry may spend and its share of the account's money; the share is larger where a spending
 * limit applies.
 */
function entryBudget({
  account: { freeCollateral, bound },
  positionSizePercent,
}: Pick<IntentInput, "account" | "positionSizePercent">) {
  const funds = bound?.funds ?? freeCollateral;
  const wanted = mulDiv(funds, BigInt(positionSizePercent), 100n, "down");
  return { wanted, budget: wanted < freeCollateral ? wanted : freeCollateral };
}

/**
 * Returns the base units an entry buys: its share of the free collateral times the leverage, less the highest fee and the
 * reserve, rounded down.
 */
export function entryBaseSize(
  input: Pick<
    IntentInput,
    "account" | "positionSizePercent" | "leverage" | "market" | "price" | "quoteDecimals"
  >,
): bigint {
  const { budget } = entryBudget(input);
  const money = budget * BigInt(input.leverage);
  const notional = mulDiv(money, BPS - SIZE_RESERVE_BPS - TAKER_FEE_BPS, BPS, "down");
  const perWhole = 10n ** BigInt(input.market.baseDecimals + PRICE_DECIMALS);
  return mulDiv(notional, perWhole, input.price * 10n ** BigInt(input.quoteDecimals), "down");
}

/** Returns the value of base units at a price, in quote base units, rounded up. */
export function notionalOf(
  baseSize: bigint,
  price: bigint,
  market: Pick<Market, "baseDecimals">,
  quoteDecimals: number,
): bigint {
  const perWhole = 10n ** BigInt(market.baseDecimals + PRICE_DECIMALS);
  return mulDiv(baseSize * 10n ** BigInt(quoteDecimals), price, perWhole, "up");
}

/** Returns whether the venue's account is not set to take orders of this leverage. */
const isLeverageMissing = ({ account, leverage }: IntentInput): boolean =>
  leverage > (account.leverage ?? leverage);

/** Returns the order that adds to a position: at most what the account can buy with all of its free collateral. */
function adding(input: IntentInput, side: Side, add: bigint | "done"): DerivedIntent | Denied {
  if (add === "done") return denied("adds_done");
  if (add === 0n) return denied("position_full");
  if (isLeverageMissing(input)) return denied("leverage_missing");
  const affordable = entryBaseSize({ ...input, positionSizePercent: 100 });
  const baseSize = add < affordable ? add : affordable;
  if (baseSize === 0n) return denied(input.account.bound?.by ?? "size_too_small");
  const worth = notionalOf(baseSize, input.price, input.market, input.quoteDecimals);
  const percentage = toSafeNumber(mulDiv(worth, 100n, input.account.freeCollateral, "down"));
  return {
    kind: "intent",
    intent: {
      ...common(input),
      side,
      reduceOnly: false,
      baseSize,
      percentage: Math.min(100, Math.max(1, percentage)),
      isAdd: true,
    },
    reopens: false,
  };
}

const common = (input: IntentInput) => ({
  orderId: input.orderId,
  agentId: input.agentId,
  signal: input.signal,
  market: input.market,
  referencePrice: input.price,
  slippageBps: input.slippageBps,
});

function closing(input: IntentInput, position: Position, part: ExitPart | null): OrderIntent {
  return {
    ...common(input),
    side: position.side === "long" ? "short" : "long",
    reduceOnly: true,
    baseSize: sizeToClose(part, position.baseSize),
    percentage: part?.portion ?? 100,
    ...(part !== null && { heldBase: position.baseSize }),
  };
}
