import {
  type ExitAsker,
  type ExitPart,
  exitLimitBps,
  exitWaitMs,
  MAX_EXIT_LIMIT_BPS,
  sizeToClose,
} from "../../../domain/exit.ts";
import type { Position, Side } from "../../../domain/position.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import type { Change, PlannedOrder } from "../../store/orders/change.ts";
import type { DecisionFacts } from "../../store/orders/decisions.ts";
import { type ExitRecord, listExits } from "../../store/orders/exits.ts";
import { type KnownOrder, listPlannedOrders } from "../../store/orders/orders.ts";
import { readAccount } from "./believe-account.ts";
import {
  type OrderContext,
  type Step,
  type TradingAgent,
  planOrder,
  type TradingDeps,
  stepTo,
} from "./order-context.ts";

/** Returns the side of the position an order closes, or null for an order that opens one. */
export function closedSide({ signal }: Pick<KnownOrder, "signal">): Side | null {
  if (signal === "CLOSE_LONG") return "long";
  return signal === "CLOSE_SHORT" ? "short" : null;
}

/** Returns the part of the position that an order closes; null for all of it. */
export function partOf(
  { portion }: Pick<KnownOrder, "portion">,
  exit: Pick<ExitRecord, "part"> | null,
): ExitPart | null {
  if (exit !== null) return exit.part;
  return portion === null ? null : { portion, goal: null };
}

/** Returns who asked for the exit that a closing order begins. */
export const askerOf = (order: KnownOrder): ExitAsker => {
  if (order.eventId === null) return order.planAct === null ? "owner" : "plan";
  return closedSide(order) === null ? "reversal" : "alert";
};

/**
 * Postpones a planned close instead of refusing it: an exit ends only when the agent is flat or its owner ends it.
 *
 * `isAttempt`: the venue would not fill the order within its limit, so the next one gets a wider limit.
 */
export function putOff(
  { deps, order, agent: { record }, exit }: OrderContext,
  why: {
    readonly reason: string;
    readonly isAttempt: boolean;
    readonly facts: DecisionFacts;
  },
): Change {
  const { reason, isAttempt, facts } = why;
  const atMs = deps.clock.now();
  const side = closedSide(order);
  if (side === null) throw new Error(`Order ${order.id} does not close anything`);
  const attempts = (exit?.attempts ?? 0) + (isAttempt ? 1 : 0);
  const waits = isAttempt ? 0 : (exit?.waits ?? 0) + 1;
  return {
    atMs,
    order: { id: order.id, event: "put_off", reason },
    decision: facts,
    exit: {
      kind: "put_off",
      exit: {
        id: exit?.id ?? deps.newId(),
        marketId: order.marketId ?? record.marketId,
        side,
        askedBy: exit?.askedBy ?? askerOf(order),
        askedAtMs: exit?.askedAtMs ?? order.plannedAtMs,
        attempts,
        waits,
        nextAttemptAtMs: atMs + exitWaitMs(isAttempt ? attempts : waits),
        lastReason: reason,
        limitBps:
          reason === "stale_price"
            ? MAX_EXIT_LIMIT_BPS
            : exitLimitBps(record.slippageBps, attempts),
        part: partOf(order, exit),
      },
    },
    // A repeated reason is not published again
    stale: exit?.lastReason === reason ? [] : ["order", "agent"],
  };
}

/** Advances an exit whose last order ended; the exit is done once the account shows nothing of it left to close. */
export async function continueExit(
  deps: TradingDeps,
  agent: TradingAgent,
  exit: ExitRecord,
): Promise<Step> {
  const atMs = deps.clock.now();
  const positions = await readPositions(deps, agent);
  if (positions === null) {
    const lastReason = "node_unavailable";
    const nextAttemptAtMs = deps.clock.now() + exitWaitMs(exit.waits + 1);
    return {
      change: {
        atMs,
        exit: { kind: "postponed", id: exit.id, nextAttemptAtMs, lastReason },
        stale: exit.lastReason === lastReason ? [] : ["agent"],
      },
      next: "waiting",
    };
  }
  const isOpen = positions.some(
    ({ marketId, side, baseSize }) =>
      marketId === exit.marketId && side === exit.side && sizeToClose(exit.part, baseSize) > 0n,
  );
  return {
    change: isOpen
      ? { atMs, planned: planExitOrders(deps, agent, [exit]), stale: ["agent", "order"] }
      : { atMs, endedExits: { ids: [exit.id], state: "done" }, stale: ["agent"] },
    next: "moved",
  };
}

/** Returns null when no node answers usably; an account that does not exist has no positions. */
async function readPositions(
  deps: Pick<TradingDeps, "db" | "clock" | "bookUpkeep">,
  { record, runtime, account }: TradingAgent,
): Promise<readonly Position[] | null> {
  if (account === null) return [];
  if (runtime === null) return null;
  try {
    return (await readAccount(deps, { record, runtime, account })).positions;
  } catch (error) {
    if (error instanceof ChainUnavailableError) return null;
    throw error;
  }
}

/**
 * Denies orders queued behind an open exit that is not due: closes of the same position are merged into it, unless an
 * entry is queued between them, and entries too old to be placed are late. A close of the whole position makes the whole
 * of an exit of a part; a close of another part waits for its end.
 */
export async function waitForExit(deps: TradingDeps, { record }: TradingAgent): Promise<Step> {
  const atMs = deps.clock.now();
  const planned = (await listPlannedOrders(deps.db, record.id)).filter(
    ({ exitId }) => exitId === null,
  );
  if (planned.length === 0) return stepTo("waiting");
  const exits = await listExits(deps.db, [record.id]);
  const firstEntry = planned.findIndex(({ signal }) => signal.startsWith("OPEN_"));
  const ahead = firstEntry < 0 ? planned : planned.slice(0, firstEntry);
  const widened = new Set<string>();
  const joined = ahead.flatMap((order) => {
    const exit = exits.find(({ side }) => side === closedSide(order));
    if (exit === undefined) return [];
    if (exit.part !== null && !widened.has(exit.id)) {
      if (order.portion !== null) return [];
      widened.add(exit.id);
    }
    return { id: order.id, reason: "joined_exit" as const, exitId: exit.id };
  });
  const late = planned.filter(
    ({ signal, plannedAtMs }) =>
      signal.startsWith("OPEN_") && plannedAtMs < atMs - record.maxSignalAgeSeconds * 1_000,
  );
  const denied = [...joined, ...late.map(({ id }) => ({ id, reason: "signal_expired" as const }))];
  if (denied.length === 0) return stepTo("waiting");
  return {
    change: {
      atMs,
      denied,
      ...(widened.size > 0 && { widenedExits: [...widened] }),
      stale: ["order"],
    },
    next: "waiting",
  };
}

/** Returns one closing order per exit, with its trade log entry. */
export function planExitOrders(
  deps: Pick<TradingDeps, "clock" | "newId">,
  { record }: Pick<TradingAgent, "record">,
  exits: readonly Pick<ExitRecord, "id" | "marketId" | "side" | "part" | "planEnd">[],
): readonly PlannedOrder[] {
  const plannedAtMs = deps.clock.now();
  return exits.map(({ id: exitId, marketId, side, part, planEnd }) =>
    planOrder(
      deps,
      record,
      {
        eventId: null,
        signal: side === "long" ? "CLOSE_LONG" : "CLOSE_SHORT",
        leg: 0,
        marketId,
        exitId,
        plannedAtMs,
        ...(planEnd !== null && { planAct: planEnd }),
      },
      { percentage: part?.portion ?? 100 },
    ),
  );
}

/** Returns the change that begins an exit of each position, with its first order; by default the owner's, of the whole. */
export function beginExits(
  deps: Pick<TradingDeps, "clock" | "newId">,
  agent: Pick<TradingAgent, "record">,
  positions: readonly Pick<Position, "marketId" | "side">[],
  asked: Partial<Pick<ExitRecord, "askedBy" | "planEnd" | "part">> & {
    /** The owner's request that begins it. */
    readonly requestId?: string;
  } = {},
): Change {
  const atMs = deps.clock.now();
  const begunExits = positions.map(({ marketId, side }) => ({
    id: deps.newId(),
    marketId,
    side,
    askedBy: "owner" as const,
    askedAtMs: atMs,
    attempts: 0,
    waits: 0,
    nextAttemptAtMs: atMs,
    lastReason: null,
    limitBps: agent.record.slippageBps,
    part: null,
    planEnd: null,
    ...asked,
  }));
  return { atMs, begunExits, planned: planExitOrders(deps, agent, begunExits), stale: ["order"] };
}
