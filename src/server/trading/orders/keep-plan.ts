import { mulDiv, toSafeNumber } from "../../../domain/amount.ts";
import { parseInterval } from "../../../domain/interval.ts";
import { demandOf, type ProtectiveExit } from "../../../domain/plan/demand.ts";
import {
  atrLengthsOf,
  type Plan,
  plannedEntry,
  type PlannedPosition,
  NO_STOP_AFTER_MS,
  type PlanEnd,
} from "../../../domain/plan/plan.ts";
import type { AccountState, Position } from "../../../domain/position.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import { barSpanAt } from "../../../strategy/bar-times.ts";
import { withRecordedFigures } from "../../positions/recorded-figures.ts";
import { type AgentRecord, readLandedSlot } from "../../store/agents/agents.ts";
import { insertCustodyFlag } from "../../store/custody/custody-notices.ts";
import type { Change } from "../../store/orders/change.ts";
import { findPlanRow, type KeptPosition, type PlanRow } from "../../store/orders/plan-positions.ts";
import { readAccount } from "./believe-account.ts";
import { beginExits } from "./exits.ts";
import type { OrderContext, ReadyAgent, Step, TradingAgent, TradingDeps } from "./order-context.ts";
import { type Protected, protect, protectEntry } from "./protect.ts";

/** Longest time between two looks at a position that a plan speaks of, in milliseconds: its owner may trade, too. */
const LOOK_AGAIN_MS = 60_000;

/** Time without a stop at the exchange from which the owner is told of it afterwards, in seconds. */
const TOLD_GAP_SECONDS = 10;

/** Wait after a look for which something did not answer, in milliseconds. */
const LOOK_AFTER_FAILURE_MS = 5_000;

const minutesOf = ({ interval }: AgentRecord): number => parseInterval(interval)?.minutes ?? 60;

/** Returns what is kept of a position as a plan reads it: the bars held are those that closed since the entry. */
export function plannedPosition(
  agent: AgentRecord,
  { addsDone }: Pick<PlanRow, "addsDone">,
  position: KeptPosition,
  nowMs: number,
): PlannedPosition {
  return { ...position, addsDone, barsHeld: barsHeld(agent, position.openedAtMs, nowMs) };
}

/** Counts to the bars that the plan holds for, and no further. */
function barsHeld(agent: AgentRecord, openedAtMs: number, nowMs: number): number {
  const most = agent.plan?.holdBars ?? 0;
  let held = 0;
  for (let atMs = openedAtMs; held < most; held += 1) {
    atMs = barSpanAt(minutesOf(agent), atMs).closeTimeMs;
    if (atMs > nowMs) break;
  }
  return held;
}

/** Returns when the agent's present bar closes. */
export const nextCloseMs = (agent: AgentRecord, nowMs: number): number =>
  barSpanAt(minutesOf(agent), nowMs).closeTimeMs;

/**
 * Looks at the account and books the position that the agent's plan speaks of. Called when no order or exit of the agent
 * is open: after each fill, when the plan changed, and once a minute, because the owner and the venue trade, too.
 *
 * A position whose stop has no level, or does not rest where the venue keeps stops, is closed in time, unless the plan
 * says otherwise.
 */
export async function keepPlan(
  deps: TradingDeps,
  { record, runtime, account }: TradingAgent,
  row: PlanRow,
): Promise<Step> {
  const atMs = deps.clock.now();
  const { plan, autoTrade } = record;
  const isOver = plan === null || autoTrade === "off" || row.isOver;
  if (account === null) return over(atMs, row);
  if (runtime === null) return isOver ? over(atMs, row) : postponed(atMs);
  const ready = { record, runtime, account };
  try {
    return isOver ? await leave(deps, ready, row) : await lookAt(deps, ready, plan, row);
  } catch (error) {
    if (error instanceof ChainUnavailableError) return postponed(atMs);
    throw error;
  }
}

const postponed = (atMs: number): Step => ({
  change: { atMs, plan: { kind: "postponed", dueAtMs: atMs + LOOK_AFTER_FAILURE_MS }, stale: [] },
  next: "moved",
});

const over = (atMs: number, { version }: PlanRow): Step => ({
  change: { atMs, plan: { kind: "over", version }, stale: ["position"] },
  next: "moved",
});

/** Ends what is kept of a position once nothing of ours rests for it any more. */
async function leave(
  deps: TradingDeps,
  ready: ReadyAgent,
  row: PlanRow,
  given?: AccountState,
): Promise<Step> {
  const atMs = deps.clock.now();
  const { sent, landed, restsAt } = row.protection;
  // Nothing was ever to rest
  if (sent === null && landed === null && restsAt === null) return over(atMs, row);
  const state = given ?? (await readAccount(deps, ready));
  const found = await protect(deps, ready, row, { state, stop: null });
  if (found === null) return over(atMs, row);
  const { protection, rested, hasFailed = false } = found;
  if (
    !hasFailed &&
    rested === undefined &&
    protection.sent === null &&
    protection.restsAt === null
  ) {
    return over(atMs, row);
  }
  const goesOn = found.watched !== undefined || rested !== undefined;
  const dueAtMs = goesOn ? atMs : atMs + LOOK_AFTER_FAILURE_MS;
  const { version } = row;
  const change: Change = {
    atMs,
    plan: { kind: "protected", version, protection, dueAtMs },
    stale: ["position"],
  };
  return withProtection(change, found);
}

/**
 * Places the stop of an entry that waits out its auction, at the level that follows from the present price: a server that
 * dies before the fill leaves no position without one. The look after the fill moves it to its place. `goOn` follows the
 * entry; null where nothing is placed.
 */
export async function protectEntering(
  { deps, order: { intent, resting }, agent: { record, runtime, account } }: OrderContext,
  goOn: () => Promise<Step>,
): Promise<Step | null> {
  const { plan } = record;
  const isEntry = intent !== null && !intent.reduceOnly && intent.isAdd !== true;
  if (!isEntry || resting === null || plan?.stop === undefined) return null;
  if (account === null || runtime?.venue.buildProtective === undefined) return null;
  const row = await findPlanRow(deps.db, record.id);
  const isNew =
    row?.position === null && Object.values(row.protection).every((each) => each === null);
  if (row === null || !isNew || row.isOver) return null;
  const [atMs, { marketId, side }] = [deps.clock.now(), intent];
  try {
    const { price } = await runtime.venue.price(marketId);
    const atr = await atrOf(deps, record, plan, { atr: new Map(), openedAtMs: atMs });
    const { baseSize } = resting;
    const entry = plannedEntry({ marketId, side, baseSize, price, openedAtMs: atMs, atr });
    const stop = demandOf(plan, entry, { price }).protective.find(({ key }) => key === "stop");
    if (stop === undefined) return null;
    const found = await protectEntry(deps, { record, runtime, account }, row, stop);
    if (found === null) return null;
    const { protection, feeLamports, send } = found;
    const { version, dueAtMs } = row;
    return {
      change: {
        atMs,
        plan: { kind: "protected", version, protection, dueAtMs },
        ...(feeLamports !== undefined && { feeLamports }),
        stale: [],
      },
      async next() {
        await send?.();
        return goOn();
      },
    };
  } catch (error) {
    deps.log.debug({ err: error, agentId: record.id }, "stop not placed before its entry");
    return null;
  }
}

/** Returns the step that stores a change and does what is to be done at the venue. */
function withProtection(change: Change, found: Protected | null): Step {
  const { rested, feeLamports, send, watched } = found ?? {};
  const stored: Change = {
    ...change,
    ...(rested !== undefined && {
      rested,
      stale: [...new Set([...change.stale, "order" as const])],
    }),
    ...(feeLamports !== undefined && { feeLamports }),
  };
  if (watched === undefined) return { change: stored, next: "moved" };
  return {
    change: stored,
    next: async () => {
      await send?.();
      return watched.look();
    },
  };
}

/** Returns whether a position has been without a stop for so long that its plan closes it. */
const closesWithoutStop = (plan: Plan, sinceMs: number | null, atMs: number): boolean =>
  sinceMs !== null && plan.closeWithoutStop !== false && atMs - sinceMs >= NO_STOP_AFTER_MS;

async function lookAt(
  deps: TradingDeps,
  ready: ReadyAgent,
  plan: Plan,
  row: PlanRow,
): Promise<Step> {
  const { record, runtime } = ready;
  const atMs = deps.clock.now();
  const state = await readAccount(deps, ready);
  // A node that lags must not end what a newer answer showed
  if (row.position !== null && state.slot < row.position.slot) return postponed(atMs);
  const figures = await withRecordedFigures(deps.db, runtime.venue, record.id, state);
  const held = figures.positions.find(({ marketId }) => marketId === record.marketId);
  if (held === undefined) return leave(deps, ready, row, state);
  // What was given to the account has cost nothing that is known: its plan begins at today's price
  const entry = held.isCostUnknown
    ? (await runtime.venue.price(held.marketId)).price
    : held.entryPrice;
  const kept = keptOf(row, { ...held, entryPrice: entry }, state.slot, atMs);
  const atr = await atrOf(deps, record, plan, kept);
  const position = { ...kept, atr };
  const { lacksStop, protective } = demandOf(plan, plannedPosition(record, row, position, atMs), {
    price: position.bestPrice,
  });
  const stop = protective.find(({ key }) => key === "stop") ?? null;
  const found = await protect(deps, ready, row, { state, stop });
  const isMissing =
    found !== null && (found.hasFailed === true || found.protection.missingSinceMs !== null);
  const isUnprotected = lacksStop || (found !== null && isUncovered(deps, found, stop));
  // A node may have been away since the fill
  const seenSinceMs = row.position === null ? position.openedAtMs : undefined;
  const unprotectedSinceMs = isUnprotected ? (row.unprotectedSinceMs ?? seenSinceMs ?? atMs) : null;
  const hasRested = !isUnprotected && found !== null && found.protection.restsAt !== null;
  if (hasRested)
    await tellGap(deps, ready, row, { openedAtMs: position.openedAtMs, slot: state.slot });
  const change = {
    atMs,
    plan: {
      kind: "looked" as const,
      version: row.version,
      position,
      unprotectedSinceMs,
      protection: found?.protection,
      restedSinceMs: hasRested ? (row.unprotectedSinceMs ?? seenSinceMs) : undefined,
      dueAtMs: found?.watched
        ? atMs
        : atMs + (lacksStop || isMissing ? LOOK_AFTER_FAILURE_MS : LOOK_AGAIN_MS),
    },
    stale: ["position"],
  } satisfies Change;
  if (!closesWithoutStop(plan, unprotectedSinceMs, atMs)) return withProtection(change, found);
  // A change that was signed just now is not sent: the exit closes what it would protect
  const { protection: _, ...looked } = change.plan;
  return {
    change: { ...change, plan: looked, ...beginPlanExit(deps, record, position, "no_stop") },
    next: "moved",
  };
}

/**
 * Tells the owner of a position that was held without a stop for a while, as after a server that died. A position from
 * before anybody saw it is as old as the slot of its fill.
 */
async function tellGap(
  { db, clock }: TradingDeps,
  { record, runtime }: ReadyAgent,
  { unprotectedSinceMs: sinceMs }: PlanRow,
  { openedAtMs, slot }: { readonly openedAtMs: number; readonly slot: bigint },
): Promise<void> {
  if (sinceMs === null) return;
  const atMs = clock.now();
  const isNew = sinceMs === openedAtMs;
  const slots = isNew ? toSafeNumber(slot - (await readLandedSlot(db, record.id))) : 0;
  const sinceFillMs = isNew ? slots * (await runtime.chain.slotDurationMs()) : 0;
  const seconds = Math.round(Math.max(atMs - sinceMs, sinceFillMs) / 1_000);
  if (seconds < TOLD_GAP_SECONDS) return;
  const { id: agentId, owner, marketId } = record;
  const key = new Date(sinceMs).toISOString();
  const text = `The position in ${marketId} was held ${seconds} s without a stop at the exchange. It rests there now.`;
  await insertCustodyFlag(db, "stop_gap", { agentId, owner, key, text, atMs });
}

/** Returns whether less rests at the venue than the stop should close. A halt is no failure to place it. */
const isUncovered = (
  { tradingState }: Pick<TradingDeps, "tradingState">,
  { protection, rested }: Protected,
  stop: ProtectiveExit | null,
): boolean =>
  stop !== null &&
  rested === undefined &&
  tradingState() !== "halted" &&
  (protection.restsBase ?? 0n) < stop.baseSize;

/** Returns the change that begins an exit of the whole position, or of `part` base units, for the plan. */
export function beginPlanExit(
  deps: Pick<TradingDeps, "clock" | "newId">,
  record: AgentRecord,
  { marketId, side, baseSize }: Pick<KeptPosition, "marketId" | "side" | "baseSize">,
  planEnd: PlanEnd,
  part: bigint = baseSize,
): Pick<Change, "begunExits" | "planned" | "stale" | "atMs"> {
  const portion = toSafeNumber(mulDiv(part, 100n, baseSize, "half_up"));
  return beginExits(deps, { record }, [{ marketId, side }], {
    askedBy: "plan",
    planEnd,
    part:
      part >= baseSize
        ? null
        : {
            portion: Math.min(99, Math.max(1, portion)),
            goal: { left: part, keep: baseSize - part },
          },
  });
}

/** Returns the position as the account has it now, with what is known of it since the entry. */
function keptOf(row: PlanRow, held: Position, slot: bigint, nowMs: number): KeptPosition {
  const { marketId, side, baseSize, entryPrice: price } = held;
  const before = row.position;
  if (before === null || before.marketId !== marketId || before.side !== side) {
    const openedAtMs = row.openedAtMs ?? nowMs;
    const entry = plannedEntry({ marketId, side, baseSize, price, openedAtMs, atr: new Map() });
    return { ...entry, slot, addAfterMs: 0, hitSinceMs: null };
  }
  const hasGrown = baseSize > before.baseSize;
  const added = price * baseSize - before.averageEntry * before.baseSize;
  return {
    ...before,
    slot,
    baseSize,
    averageEntry: hasGrown ? price : before.averageEntry,
    bestPrice: hasGrown ? added / (baseSize - before.baseSize) : before.bestPrice,
    largestSize: baseSize > before.largestSize ? baseSize : before.largestSize,
    // An add that was filled makes room for the next
    addAfterMs: hasGrown ? 0 : before.addAfterMs,
  };
}

/** Returns the ATR at the entry by length; a length is absent while its bars are not there. */
async function atrOf(
  { entryAtr }: Pick<TradingDeps, "entryAtr">,
  record: AgentRecord,
  plan: Plan,
  { atr, openedAtMs }: Pick<KeptPosition, "atr" | "openedAtMs">,
): Promise<ReadonlyMap<number, bigint>> {
  if (atrLengthsOf(plan).every((length) => atr.has(length))) return atr;
  return new Map([...(await entryAtr(record, plan, openedAtMs)), ...atr]);
}
