import { AppError, found } from "../../contract/errors.ts";
import type { AgentId, OwnerAddress } from "../../domain/ids.ts";
import type { Side } from "../../domain/position.ts";
import { findAgent, lockLane } from "../store/agents/agents.ts";
import { insertAudit } from "../store/audit/audit.ts";
import { applyChange } from "../store/orders/commit-change.ts";
import { joinExit, listExits, wasExitRequested } from "../store/orders/exits.ts";
import { beginExits } from "./orders/exits.ts";
import { publishStale } from "./orders/commit.ts";
import type { PlanningDeps } from "./orders/order-context.ts";

/** An owner's request to close a position. */
export interface CloseRequest {
  /** Side of the position as the owner sees it; the other side is never closed. */
  readonly side: Side;
  /** Made by the page for one click: the same request begins at most one exit. */
  readonly requestId: string;
  /** Percent of the position to close; absent: all of it. */
  readonly portion?: number | undefined;
}

const WHOLE = 100;

/**
 * Begins an exit of the agent's position, or of a part of it, which is tried until that is closed; auto-trade stays as it
 * is.
 *
 * Nothing is read from the chain, so that an exit is stored while no node answers. An exit that is already in progress
 * is joined: one of a part goes on until the whole position is closed. Throws `conflict` before the first deposit, while a
 * position of the other side is being closed, and for a part while another part is.
 */
export async function closePositionForOwner(
  deps: Pick<PlanningDeps, "db" | "clock" | "newId" | "publisher">,
  agentId: AgentId,
  wallet: OwnerAddress,
  { side, requestId, portion = WHOLE }: CloseRequest,
): Promise<void> {
  const atMs = deps.clock.now();
  const begun = await deps.db.transaction().execute(async (transaction) => {
    await lockLane(transaction, agentId);
    const record = found(await findAgent(transaction, agentId));
    if (record.subAccountId === null) {
      throw new AppError("conflict", { message: "The agent has no position yet." });
    }
    if (await wasExitRequested(transaction, agentId, requestId)) return null;
    const { marketId } = record;
    const exits = await listExits(transaction, [agentId]);
    const working = exits.find((exit) => exit.marketId === marketId);
    if (working !== undefined && working.side !== side) {
      throw new AppError("conflict", {
        message: `The agent is closing a ${working.side} position. Wait until it is closed.`,
      });
    }
    const part = portion < WHOLE ? { portion, goal: null } : null;
    if (part !== null && working !== undefined && working.part !== null) {
      throw new AppError("conflict", {
        message: "A part of the position is being closed. Wait until it is closed.",
      });
    }
    if (working !== undefined) {
      await joinExit(transaction, working.id, requestId);
      if (working.part === null) return null;
    } else {
      const change = beginExits(deps, { record }, [{ marketId, side }], {
        requestId,
        part,
      });
      await applyChange(transaction, agentId, change);
    }
    await insertAudit(transaction, atMs, wallet, "position_closed_by_owner", agentId, {
      marketId,
      side,
      ...(part !== null && { portion }),
    });
    return record;
  });
  if (begun !== null) publishStale(deps.publisher, begun, ["order", "agent"]);
}
