import type { Signature } from "@solana/kit";
import { isOutcomeOverdue } from "../../../domain/order/order-states.ts";
import {
  type Chain,
  ChainUnavailableError,
  type TransactionOutcome,
  TransactionRefusedError,
} from "../../../solana/chain.ts";
import { askSignature } from "../../../solana/settle-signature.ts";
import type { SentOrder } from "../../store/orders/orders.ts";
import { followResting } from "./follow-resting.ts";
import { type OrderContext, type Step, stepTo } from "./order-context.ts";
import { outcomeOf, toStep } from "./outcome.ts";

/**
 * Queries the outcome of a sent order on chain. This is the only path for orders just sent, orders found at start and
 * orders without a known outcome.
 *
 * The same bytes are sent again until the blockhash has provably expired; they can take effect only once.
 */
export async function settleOrder(context: OrderContext): Promise<Step> {
  const { order, agent } = context;
  if (order.state === "resting") return followResting(context);
  if (order.sent === null) throw new Error(`Order ${order.id} was sent without a record of it`);
  if (agent.place === null || agent.account === null) return stepTo("waiting");
  const { chain, venue } = agent.place;
  const answer = await askChain(chain, order.sent).catch((error: unknown) => {
    if (error instanceof ChainUnavailableError) return "open" as const;
    throw error;
  });
  switch (answer) {
    case "unpaid":
      return loseTrack(context, "fee_payer_empty");
    case "open":
      return isOutcomeOverdue(order.sent.submittedAtMs, context.deps.clock.now())
        ? loseTrack(context, "outcome_unknown")
        : stepTo("waiting");
    case "expired":
      return toStep(context, { event: "expire", reason: "expired" });
    default:
      return toStep(context, outcomeOf(venue.reportOrder(agent.account, answer), answer));
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
 * Says once in the agent's trade log why a sent order has no outcome yet; an empty account that pays for orders is an
 * error for the operator, too. The bytes are sent again until they land or expire.
 */
export function loseTrack(
  { deps, order }: OrderContext,
  reason: "outcome_unknown" | "fee_payer_empty",
): Step {
  if (order.state !== "submitted") return stepTo("waiting");
  return {
    change: {
      atMs: deps.clock.now(),
      order: { id: order.id, event: "lose_track", reason },
      stale: ["order"],
    },
    afterwards() {
      if (reason === "outcome_unknown") return;
      deps.log.error(
        { agentId: order.agentId, orderId: order.id, feePayer: deps.signer.feePayer },
        "the account that pays for orders holds too little SOL: an order waits for it",
      );
    },
    next: "waiting",
  };
}
