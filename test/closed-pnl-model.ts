import { mulDiv } from "../src/domain/amount.ts";
import type { ClosedPnl } from "../src/domain/position.ts";

/** One filled entry of one market's trade log, amounts in base and quote base units. */
export interface LoggedTrade {
  readonly signal: string;
  readonly baseSize: bigint;
  readonly quoteTotal: bigint;
  readonly fee: bigint;
}

interface Held {
  readonly side: "long" | "short";
  readonly baseSize: bigint;
  /** Cost of a long, or proceeds of a short, and the fees paid for it, in quote base units. */
  readonly worth: bigint;
  readonly fees: bigint;
}

const sideOf = (signal: string): Held["side"] => (signal.endsWith("SHORT") ? "short" : "long");

/**
 * Returns the PnL of each of a market's trades, in their order, with the fees of both sides and without funding.
 *
 * Null for a trade that closes nothing, and where the earlier trades do not account for the closed size: the position
 * was then also changed elsewhere, and any figure would be a guess.
 */
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
  if (!signal.startsWith("CLOSE_")) return null;
  const closed = partOf(held, trade);
  if (held === null || closed === null) return null;
  const isLong = held.side === "long";
  const entry = isLong ? closed.worth + closed.fees : closed.worth - closed.fees;
  const pnl = isLong ? quoteTotal - fee - entry : entry - quoteTotal - fee;
  return { pnl, entry };
}

/**
 * An opening replaces whatever the log still holds: the product never opens beside an open position, so the log missed
 * a closing. What traded nothing changes nothing.
 */
function afterTrade(held: Held | null, trade: LoggedTrade): Held | null {
  const { signal, baseSize, quoteTotal, fee } = trade;
  if (baseSize === 0n) return held;
  if (signal.startsWith("OPEN_")) {
    return { side: sideOf(signal), baseSize, worth: quoteTotal, fees: fee };
  }
  if (!signal.startsWith("CLOSE_") && signal !== "MOVE_ASSET") return held;
  const gone = partOf(held, trade);
  if (held === null || gone === null || baseSize === held.baseSize) return null;
  return {
    ...held,
    baseSize: held.baseSize - baseSize,
    worth: held.worth - gone.worth,
    fees: held.fees - gone.fees,
  };
}

/**
 * Returns what was paid for the closed share of a position, each amount cut to whole units; null when the closing cannot
 * belong to that position.
 */
function partOf(
  held: Held | null,
  { signal, baseSize }: LoggedTrade,
): Pick<Held, "worth" | "fees"> | null {
  if (held === null || sideOf(signal) !== held.side) return null;
  if (baseSize <= 0n || baseSize > held.baseSize) return null;
  const part = (paid: bigint) => mulDiv(paid, baseSize, held.baseSize, "down");
  return { worth: part(held.worth), fees: part(held.fees) };
}
