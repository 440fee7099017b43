import type { DenialReason } from "../../../domain/denial.ts";
import { exitWaitMs } from "../../../domain/exit.ts";
import { parseOrderId } from "../../../domain/ids.ts";
import { scalesOf } from "../../../venues/profiles.ts";
import type { Position } from "../../../domain/position.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import type { Db } from "../../store/postgres/db.ts";
import { endExits, type ExitRecord, postponeExit } from "../../store/orders/exits.ts";
import type { HeldLane } from "../../store/orders/held-lane.ts";
import { lockFencedLane } from "../../store/lanes/lanes.ts";
import { insertOrders, type NewOrder } from "../../store/orders/orders.ts";
import { runStatement } from "../../store/postgres/statement.ts";
import { insertTradeLogEntries } from "../../store/trade-log/trade-log-writes.ts";
import type { TradingAgent } from "./trading-agent.ts";
import type { TradingDeps } from "./trading-deps.ts";
import { publishTrading } from "./exits.ts";
import { publishOrderChange } from "./publish-order-change.ts";
import { readAccount } from "./read-account.ts";

/** `planned`: the exit's next order waits to be placed. `postponed`: the account could not be read. */
export type ExitProgress = "flat" | "planned" | "postponed" | "lost";

/** Advances an exit whose last order ended; the exit is done once the account shows no such position. */
export async function continueExit(
  deps: TradingDeps,
  lane: HeldLane,
  agent: TradingAgent,
  exit: ExitRecord,
): Promise<ExitProgress> {
  const positions = await readPositions(deps, agent);
  if (positions === null) {
    await postpone(deps, lane, agent, exit, "node_unavailable");
    return "postponed";
  }
  const isOpen = positions.some(
    ({ marketId, side }) => marketId === exit.marketId && side === exit.side,
  );
  const progress = await deps.db.transaction().execute(async (transaction) => {
    if (!(await lockFencedLane(transaction, lane))) return "lost" as const;
    if (isOpen) {
      await planExitOrders(deps, transaction, agent, [exit]);
      return "planned" as const;
    }
    await endExits(transaction, exit.agentId, "done", deps.clock.now(), exit.id);
    return "flat" as const;
  });
  if (progress === "lost") return progress;
  publishTrading(deps, agent.record);
  if (progress === "planned") publishOrderChange(deps, agent.record);
  return progress;
}

/** Returns null when no node answers usably; an account that does not exist has no positions. */
async function readPositions(
  deps: Pick<TradingDeps, "db" | "clock">,
  { record, place, account }: TradingAgent,
): Promise<readonly Position[] | null> {
  if (account === null) return [];
  if (place === null) return null;
  try {
    return (await readAccount(deps, { record, place, account })).positions;
  } catch (error) {
    if (error instanceof ChainUnavailableError) return null;
    throw error;
  }
}

async function postpone(
  deps: Pick<TradingDeps, "lanes" | "clock" | "publisher">,
  lane: HeldLane,
  { record }: TradingAgent,
  { id, waits, lastReason }: ExitRecord,
  reason: DenialReason,
): Promise<void> {
  const nextAttemptAtMs = deps.clock.now() + exitWaitMs(waits + 1);
  await postponeExit(deps.lanes, lane, { id, nextAttemptAtMs, lastReason: reason });
  if (lastReason !== reason) publishTrading(deps, record);
}

/** Plans one closing order per exit, with its trade log entry. The caller holds the lane's lock. */
export async function planExitOrders(
  deps: Pick<TradingDeps, "clock" | "newId">,
  transaction: Db,
  { record }: Pick<TradingAgent, "record">,
  exits: readonly Pick<ExitRecord, "id" | "marketId" | "side">[],
): Promise<void> {
  const plannedAtMs = deps.clock.now();
  const orders = exits.map(({ id, marketId, side }): NewOrder => ({
    id: parseOrderId(deps.newId()),
    agentId: record.id,
    eventId: null,
    signal: side === "long" ? "CLOSE_LONG" : "CLOSE_SHORT",
    leg: 0,
    deniedFor: null,
    marketId,
    exitId: id,
    plannedAtMs,
  }));
  const entries = orders.map((order) => ({
    id: deps.newId(),
    agentId: record.id,
    chatId: record.chatId,
    eventId: null,
    orderId: order.id,
    ruleId: null,
    market: order.marketId ?? record.marketId,
    signal: order.signal,
    status: "pending" as const,
    reason: null,
    percentage: 100,
    ...scalesOf(record.venue, order.marketId ?? record.marketId),
    atMs: plannedAtMs,
  }));
  await runStatement(transaction, insertOrders(orders));
  await runStatement(transaction, insertTradeLogEntries(entries));
}
