import type { RecordedPoint } from "../../domain/performance/account-curve.ts";
import type { AccountSnapshot } from "../positions/account-reader.ts";
import type { MarkedWorth } from "../store/ledger/portfolio.ts";
import type { AgentWorth } from "./portfolio-worth.ts";

/**
 * Largest difference between the venue's net deposits and the booked ones, as a fraction 1/n of the booked ones: venues
 * count a deposit at the quote token's price of that time.
 */
const DEPOSIT_TOLERANCE = 200n;

/** What is known of an agent's account beside its book. */
export interface Present {
  readonly snapshot: Pick<AccountSnapshot, "state"> | null;
  /** Whether money is on its way in or out that the book does not have yet. */
  readonly hasOpenFlow: boolean;
}

const magnitude = (units: bigint): bigint => (units < 0n ? -units : units);

/**
 * Returns the equity a reading of the venue has, when the book has every deposit and withdrawal in it; null otherwise,
 * because a deposit that is not booked yet would be counted as profit.
 */
function liveValue({ snapshot, hasOpenFlow }: Present, bookedFlow: bigint): bigint | null {
  if (snapshot === null || !snapshot.state.subAccountExists || hasOpenFlow) return null;
  const { portfolioValue, netDeposits } = snapshot.state;
  const isBooked = magnitude(netDeposits - bookedFlow) * DEPOSIT_TOLERANCE <= magnitude(bookedFlow);
  return isBooked ? portfolioValue : null;
}

/**
 * Returns the venue's present equity; when it cannot be read, the last recorded value and its time.
 *
 * The value at `nowMs` among the marks is the present one too, where flows are booked, so that what was made agrees with it.
 */
export function worthNow(
  marks: ReadonlyMap<number, MarkedWorth>,
  present: Present,
  isUnfunded: boolean,
  nowMs: number,
): Omit<AgentWorth, "flows" | "inflows"> {
  const { snapshot } = present;
  const last = marks.get(nowMs);
  if (snapshot !== null && snapshot.state.subAccountExists) {
    const live = last === undefined ? null : liveValue(present, last.netFlow);
    return {
      value: snapshot.state.portfolioValue,
      sinceMs: null,
      isUnbooked: last === undefined && (present.hasOpenFlow || snapshot.state.portfolioValue > 0n),
      marks:
        last === undefined || live === null
          ? marks
          : new Map([...marks, [nowMs, { ...last, atMs: nowMs, value: live }]]),
    };
  }
  if (last !== undefined) {
    return { value: last.value, sinceMs: last.atMs, marks, isUnbooked: false };
  }
  const isUnbooked = present.hasOpenFlow;
  return { value: isUnfunded ? 0n : null, sinceMs: null, marks, isUnbooked };
}

/** Returns recorded points followed by the present equity, where it is known and every flow is booked. */
export function withPresent(
  points: readonly RecordedPoint[],
  present: Present,
  nowMs: number,
): readonly RecordedPoint[] {
  const last = points.at(-1);
  const value = last === undefined ? null : liveValue(present, last.netFlow);
  if (last === undefined || value === null || last.atMs >= nowMs) return points;
  return [...points, { ...last, atMs: nowMs, value }];
}
