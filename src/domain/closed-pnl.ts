import { mulDiv } from "./amount.ts";

/** One filled line of the trade log of one market, amounts in base and quote base units. */
export interface LoggedTrade {
  readonly signal: string;
  readonly baseSize: bigint;
  readonly quoteTotal: bigint;
  /** Null where it is not known. */
  readonly fee: bigint | null;
}

interface Held {
  readonly side: "long" | "short";
  readonly baseSize: bigint;
  /** What was paid for a long with its fees, or came in for a short less its fees, in quote base units. */
  readonly worth: bigint;
}

/** What a closing earned: `entry` is what the closed part had cost, or had brought in. Quote base units. */
export interface ClosedPnl {
  readonly pnl: bigint;
  readonly entry: bigint;
}

const sideOf = (signal: string): Held["side"] => (signal.endsWith("SHORT") ? "short" : "long");

/**
 * Returns what the last of a market's trades earned, fees of both sides counted and funding not.
 *
 * Null for one that closes nothing, and where the trades before it do not say what was closed: the position was then
 * also changed elsewhere, and any figure would be a guess.
 */
export function closedPnl(trades: readonly LoggedTrade[]): ClosedPnl | null {
  return closedPnls(trades).at(-1) ?? null;
}

/** Returns what each of a market's trades earned, in their order; see `closedPnl`. */
export function closedPnls(trades: readonly LoggedTrade[]): readonly (ClosedPnl | null)[] {
  let held: Held | null = null;
  return trades.map((trade) => {
    const closed = pnlOf(held, trade);
    held = afterTrade(held, trade);
    return closed;
  });
}

function pnlOf(held: Held | null, trade: LoggedTrade): ClosedPnl | null {
  const { signal, quoteTotal, fee } = trade;
  if (!signal.startsWith("CLOSE_") || fee === null) return null;
  const closed = partOf(held, trade);
  if (held === null || closed === null) return null;
  const pnl = held.side === "long" ? quoteTotal - fee - closed : closed - quoteTotal - fee;
  return { pnl, entry: closed };
}

/** An opening beside something held means that what was held is gone: the product opens nothing beside a position. */
function afterTrade(held: Held | null, trade: LoggedTrade): Held | null {
  const { signal, baseSize, quoteTotal, fee } = trade;
  if (signal.startsWith("OPEN_")) {
    if (baseSize <= 0n || fee === null) return null;
    const side = sideOf(signal);
    return { side, baseSize, worth: side === "long" ? quoteTotal + fee : quoteTotal - fee };
  }
  if (!signal.startsWith("CLOSE_") && signal !== "MOVE_ASSET") return held;
  const gone = partOf(held, trade);
  if (held === null || gone === null || baseSize === held.baseSize) return null;
  return { ...held, baseSize: held.baseSize - baseSize, worth: held.worth - gone };
}

/** The share of what is held that a closing takes; null when it cannot be of that. */
function partOf(held: Held | null, { signal, baseSize }: LoggedTrade): bigint | null {
  if (held === null || sideOf(signal) !== held.side) return null;
  if (baseSize <= 0n || baseSize > held.baseSize) return null;
  return mulDiv(held.worth, baseSize, held.baseSize, "half_up");
}
