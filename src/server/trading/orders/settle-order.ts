import type { Signature } from "@solana/kit";
import { isOutcomeOverdue } from "../../../domain/order/order-states.ts";
import {
  type Chain,
  ChainUnavailableError,
  type TransactionOutcome,
  TransactionRefusedError,
} from "../../../solana/chain.ts";
import { askSignature } from "../../../solana/settle-signature.ts";
import { moveOrder, type OpenOrder, type SentOrder } from "../../store/orders/orders.ts";
import { updateTradeLogOfOrder } from "../../store/trade-log/trade-log-writes.ts";
import { publishOrderChange } from "./publish-order-change.ts";
import { followResting } from "./follow-resting.ts";
import type { LaneTurn } from "./lane-turn.ts";
import { outcomeOf } from "./outcome-of.ts";
import { recordOutcome } from "./record-fill.ts";
import type { TradingAgent } from "./trading-agent.ts";
import type { TradingDeps } from "./trading-deps.ts";

/** `open`: query again later. `lost`: another worker holds the lane. */
export type Settlement = "traded" | "failed" | "open" | "lost";

/**
 * Queries the outcome of a sent order on chain and records it. This is the only path for orders just sent, orders found
 * at start and orders without a known outcome.
 *
 * The same bytes are sent again until the blockhash has provably expired; they can take effect only once.
 */
export async function settleOrder(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  turn: LaneTurn,
): Promise<Settlement> {
  if (order.state === "resting") {
    return followResting(deps, order, agent, turn).catch((error: unknown) => {
      if (error instanceof ChainUnavailableError) return "open" as const;
      throw error;
    });
  }
  if (order.sent === null) throw new Error(`Order ${order.id} was sent without a record of it`);
  if (agent.place === null || agent.account === null) return "open";
  const { venue } = agent.place;
  const answer = await askChain(agent.place.chain, order.sent).catch((error: unknown) => {
    if (error instanceof ChainUnavailableError) return "open" as const;
    throw error;
  });
  if (answer === "unpaid") {
    await sayUnpaid(deps, order, agent);
    return "open";
  }
  if (answer === "open") return markOverdue(deps, order, agent, order.sent);
  const outcome =
    answer === "expired"
      ? ({ event: "expire", reason: "expired" } as const)
      : outcomeOf(venue.reportOrder(agent.account, answer), answer);
  const isRecorded = await recordOutcome(deps, order, agent, turn, outcome);
  if (!isRecorded) return "lost";
  switch (outcome.event) {
    case "fill":
    case "fill_partly":
      return "traded";
    case "rest":
      return "open";
    default:
      return "failed";
  }
}

async function askChain(
  chain: Chain,
  sent: SentOrder,
): Promise<TransactionOutcome | "expired" | "open" | "unpaid"> {
  const signature = sent.signature as Signature;
  const answer = await askSignature(chain, { ...sent, signature });
  switch (answer.kind) {
    case "landed":
      return (await chain.transaction(signature)) ?? "open";
    case "expired":
      return "expired";
    case "pending":
      return sendAgain(chain, sent);
  }
}

async function sendAgain(chain: Chain, sent: SentOrder): Promise<"open" | "unpaid"> {
  try {
    await chain.send(sent.transaction);
  } catch (error) {
    if (isUnpaid(error)) return "unpaid";
    // Neither error proves that the bytes did not land earlier
    if (!(error instanceof ChainUnavailableError || error instanceof TransactionRefusedError)) {
      throw error;
    }
  }
  return "open";
}

/** Returns whether a node refused a transaction because its fee payer holds no SOL, or too little for the fee. */
export const isUnpaid = (error: unknown): boolean =>
  error instanceof TransactionRefusedError &&
  error.error.kind === "transaction" &&
  (error.error.name === "AccountNotFound" || error.error.name === "InsufficientFundsForFee");

/**
 * Says in the log and in the agent's trade log, once an order, that the account that pays for orders is empty. The bytes
 * are sent again until they land or expire.
 */
export async function sayUnpaid(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
): Promise<void> {
  if (!(await loseTrack(deps, order, agent, "fee_payer_empty"))) return;
  deps.log.error(
    { agentId: order.agentId, orderId: order.id, feePayer: deps.signer.feePayer },
    "the account that pays for orders holds too little SOL: an order waits for it",
  );
}

async function markOverdue(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  sent: SentOrder,
): Promise<"open"> {
  const isOverdue = isOutcomeOverdue(sent.submittedAtMs, deps.clock.now());
  if (order.state !== "submitted" || !isOverdue) return "open";
  await loseTrack(deps, order, agent, "outcome_unknown");
  return "open";
}

/** Records why a sent order has no outcome yet. Returns false when that was recorded already, or it has one. */
async function loseTrack(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  reason: "outcome_unknown" | "fee_payer_empty",
): Promise<boolean> {
  const isNews = await deps.db.transaction().execute(async (transaction) => {
    if (!(await moveOrder(transaction, order.id, "lose_track", { reason }))) return false;
    await updateTradeLogOfOrder(transaction, order.id, { status: "pending", reason });
    return true;
  });
  publishOrderChange(deps, agent.record);
  return isNews;
}
