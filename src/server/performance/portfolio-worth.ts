import type { ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { formatDecimal, ratioOf } from "../../domain/amount.ts";
import { drawdownCurve, growthOf } from "../../domain/measures/growth.ts";
import { longestStepMs } from "../../domain/performance/range.ts";
import type { MarkedWorth, RecordedFlow } from "../store/ledger/portfolio.ts";
import type { RecordedPoint } from "../../domain/performance/account-curve.ts";
import type { AccountSnapshot } from "../positions/account-reader.ts";

type Network = ResponseOf<typeof ROUTES.getPortfolio>["networks"][number];
type Made = Network["made"]["today"];

const NOTHING = { value: 0n, netFlow: 0n };

/** Equity of one agent now and at every requested time. */
export interface AgentWorth {
  /** Null when unknown; `sinceMs` is then meaningless. */
  readonly value: bigint | null;
  /** Time the value was recorded; null for a value just read. */
  readonly sinceMs: number | null;
  /** Equity recorded in the ledger, so that flows and equity of one time match; the present one where flows are booked. */
  readonly marks: ReadonlyMap<number, MarkedWorth>;
  /** Whether the account holds money and the ledger has no point yet. */
  readonly isUnbooked: boolean;
  /** What came in after a time; none where absent. */
  readonly inflows: ReadonlyMap<number, bigint>;
  /** Recorded equity right after each flow, oldest first. */
  readonly flows: readonly RecordedFlow[];
}

/**
 * Returns the equity of an agent that was deleted at a time, from its recorded equity: what was recorded last was paid out
 * then.
 */
export function worthOfDeleted(
  recorded: ReadonlyMap<number, MarkedWorth>,
  moved: Pick<AgentWorth, "flows" | "inflows">,
  deletedAtMs: number,
): AgentWorth {
  const marks = [...recorded].map(([mark, worth]): [number, MarkedWorth] => {
    const { value, netFlow } = worth;
    const paidOut = { ...worth, value: 0n, netFlow: netFlow - value, isOpen: false };
    return [mark, mark < deletedAtMs ? worth : paidOut];
  });
  return { value: 0n, sinceMs: null, marks: new Map(marks), isUnbooked: false, ...moved };
}

/** Returns equity and net deposits at a time: zero before the first point, unknown in a gap. */
export function worthAt(
  { marks, isUnbooked }: AgentWorth,
  mark: number,
  nowMs: number,
): { readonly value: bigint; readonly netFlow: bigint } | null {
  const recorded = marks.get(mark);
  if (recorded === undefined) return isUnbooked && mark === nowMs ? null : NOTHING;
  const isKnown = mark - recorded.atMs <= longestStepMs(recorded.atMs, nowMs);
  return isKnown || !recorded.isOpen ? recorded : null;
}

/**
 * Returns the total profit of agents since a time, and its share of what was there then and came in since; null when an
 * equity then or now is unknown. Money that went out again does not make the share larger.
 */
export function madeSince(
  agents: readonly AgentWorth[],
  mark: number,
  nowMs: number,
  decimals: number,
): Made {
  let [made, base] = [0n, 0n];
  for (const agent of agents) {
    const [then, now] = [worthAt(agent, mark, nowMs), worthAt(agent, nowMs, nowMs)];
    if (then === null || now === null) return null;
    const flow = now.netFlow - then.netFlow;
    made += now.value - then.value - flow;
    const cameIn = agent.inflows.get(mark) ?? 0n;
    // An asset moved in kind is in the net flow alone
    base += then.value + (cameIn > flow ? cameIn : flow);
  }
  return {
    amount: formatDecimal(made, decimals),
    share: base > 0n ? ratioOf(made, base) : null,
  };
}

/** Returns the total equity of agents at every requested time. */
export function combinedCurve(
  agents: readonly AgentWorth[],
  marks: readonly number[],
  nowMs: number,
  decimals: number,
): Network["curve"] {
  return marks.map((mark) => {
    const worth = agents.map((agent) => worthAt(agent, mark, nowMs));
    const known = worth.flatMap((each) => each ?? []);
    const isKnown = known.length === worth.length;
    const sum = (key: "value" | "netFlow") =>
      formatDecimal(
        known.reduce((total, each) => total + each[key], 0n),
        decimals,
      );
    return {
      time: Math.floor(mark / 1_000),
      value: isKnown ? sum("value") : null,
      paidIn: isKnown ? sum("netFlow") : null,
    };
  });
}

/**
 * Returns an agent's growth over a span, and its drawdown from its highest value at a requested time or flow.
 *
 * Each flow ends a step of growth, because the returns before and after a flow apply to different amounts of capital.
 */
export function sparklineOf(
  agent: AgentWorth,
  marks: readonly number[],
  nowMs: number,
): { readonly spark: (number | null)[]; readonly drawdown: number | null } {
  const steps = [
    ...agent.flows.map((flow) => ({ atMs: flow.atMs, worth: flow, isMark: false })),
    ...marks
      .filter((mark) => agent.marks.has(mark))
      .map((mark) => ({ atMs: mark, worth: worthAt(agent, mark, nowMs), isMark: true })),
  ].toSorted((one, other) => one.atMs - other.atMs);
  let flowBefore: bigint | null = null;
  const points = steps.map(({ atMs, worth }) => {
    const flow = worth === null || flowBefore === null ? 0n : worth.netFlow - flowBefore;
    if (worth !== null) flowBefore = worth.netFlow;
    return { atMs, value: worth?.value ?? null, flow };
  });
  const curve = growthOf(points);
  return {
    spark: curve
      .filter((_, at) => steps[at]?.isMark)
      .map(({ growth }) => (growth === null ? null : growth - 1)),
    drawdown: drawdownCurve(curve).at(-1) ?? null,
  };
}

/**
 * Largest difference between the venue's net deposits and the booked ones, as a fraction 1/n of the booked ones: venues
 * count a deposit at the quote token's price of that time.
 */
const DEPOSIT_TOLERANCE = 200n;

/** What is known of an agent's account beside its book. */
interface Present {
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
