import type { Signature } from "@solana/kit";
import { type DenialReason, denied, type Denied } from "../../../domain/denial.ts";
import type { RiskLedger } from "../../../domain/risk-ledger.ts";
import {
  ChainUnavailableError,
  TransactionRefusedError,
  type TransactionOutcome,
} from "../../../solana/chain.ts";
import { OrderRefusedError } from "../../../venues/venue.ts";
import { type SignedTransaction, SigningRefusedError } from "../../custody/delegate-signer.ts";
import type { Db } from "../../store/db.ts";
import { type HeldLane, lockFencedLane } from "../../store/lanes.ts";
import { recordSubmission, type Submission } from "../../store/order-outcomes.ts";
import { moveOrder, type OpenOrder, type SentOrder } from "../../store/orders.ts";
import { updateTradeLogOfOrder } from "../../store/trade-log-writes.ts";
import { bidForPlace } from "./bid-for-place.ts";
import { type DecidedOrder, decideOrder } from "./decide-order.ts";
import { publishOrderChange } from "./publish-order-change.ts";
import { recordOutcome } from "./record-fill.ts";
import type { TradingAgent } from "../trading-agent.ts";
import type { TradingDeps } from "../trading-deps.ts";

/** `lost`: somebody else holds the lane now, nothing was sent by us. */
export type Placement =
  | { readonly kind: "submitted"; readonly sent: SentOrder; readonly ledger: RiskLedger }
  | { readonly kind: "ended"; readonly reason: string }
  | { readonly kind: "lost" };

/**
 * Turns a planned order into a sent one, or records why not.
 *
 * Bytes and signature are stored before they are sent: whatever happens after, the same bytes are asked about or sent
 * again. Throws `ChainUnavailableError` with nothing stored when the venue could not be read.
 */
export async function placeOrder(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  lane: HeldLane,
  ledger: RiskLedger,
): Promise<Placement> {
  const decision = await decideOrder(deps, order, agent, ledger);
  if (decision.kind === "denied") return deny(deps, order, agent, lane, decision.reason);
  const signed = await buildAndSign(deps, order, decision);
  if (signed.kind === "denied") return deny(deps, order, agent, lane, signed.reason);
  const sent = { ...signed.transaction, submittedAtMs: deps.clock.now() };
  const isStored = await store(deps, order, agent, lane, decision, sent);
  if (!isStored) return { kind: "lost" };
  publishOrderChange(deps, agent.record);
  return send(deps, order, agent, lane, decision, sent);
}

async function deny(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  lane: HeldLane,
  reason: DenialReason,
): Promise<Placement> {
  const isDenied = await deps.db.transaction().execute(async (transaction) => {
    if (!(await lockFencedLane(transaction, lane))) return false;
    return recordDenial(deps, transaction, order.id, reason);
  });
  if (!isDenied) return { kind: "lost" };
  publishOrderChange(deps, agent.record);
  return { kind: "ended", reason };
}

async function recordDenial(
  deps: TradingDeps,
  transaction: Db,
  orderId: string,
  reason: DenialReason,
): Promise<boolean> {
  const atMs = deps.clock.now();
  const end = { reason, settledAtMs: atMs };
  if (!(await moveOrder(transaction, orderId, "deny", end))) return false;
  await updateTradeLogOfOrder(transaction, orderId, { status: "failed", reason, atMs });
  return true;
}

async function buildAndSign(
  deps: TradingDeps,
  order: OpenOrder,
  decision: DecidedOrder,
): Promise<{ readonly kind: "signed"; readonly transaction: SignedTransaction } | Denied> {
  const { account, place, intent } = decision;
  try {
    const { instructions, tables } = await place.venue.buildOrder(account, intent);
    const [lifetime, bidding] = await Promise.all([
      place.chain.latestBlockhash(),
      bidForPlace(place.chain, instructions, place.priorityFee),
    ]);
    const transaction = await deps.signer.sign(intent.agentId, account, bidding, lifetime, tables);
    return { kind: "signed", transaction };
  } catch (error) {
    if (error instanceof ChainUnavailableError) throw error;
    deps.log.error({ err: error, agentId: order.agentId, orderId: order.id }, "order not built");
    if (error instanceof OrderRefusedError) return denied(error.reason);
    return denied(error instanceof SigningRefusedError ? "signing_refused" : "venue_refused");
  }
}

/** Turning auto-trade off denies what was planned to open, so that it cannot get past this. */
function store(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  lane: HeldLane,
  decision: DecidedOrder,
  sent: SentOrder,
): Promise<boolean> {
  const { intent, ledger, reopens } = decision;
  return recordSubmission(deps.lanes, lane, {
    intent,
    sent,
    ledger,
    side: intent.reduceOnly ? (intent.side === "long" ? "buy" : "sell") : null,
    secondLeg: reopens ? planSecondLeg(deps, order, agent, decision) : null,
  });
}

function planSecondLeg(
  deps: TradingDeps,
  { agentId, eventId, signal }: OpenOrder,
  agent: TradingAgent,
  { intent: { market }, place }: DecidedOrder,
): NonNullable<Submission["secondLeg"]> {
  const orderId = deps.newId();
  const atMs = deps.clock.now();
  const { marketId, baseDecimals } = market;
  const cause = { agentId, eventId, signal };
  return {
    order: { ...cause, id: orderId, leg: 1, deniedFor: null, marketId, plannedAtMs: atMs },
    entry: {
      ...cause,
      id: deps.newId(),
      chatId: agent.record.chatId,
      orderId,
      market: marketId,
      status: "pending",
      reason: null,
      percentage: agent.record.positionSizePercent,
      baseDecimals,
      quoteDecimals: place.venue.profile.quote.decimals,
      atMs,
    },
  };
}

async function send(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  lane: HeldLane,
  { account, ledger, place }: DecidedOrder,
  sent: SentOrder,
): Promise<Placement> {
  const { chain, venue } = place;
  const submitted = { kind: "submitted", sent, ledger } as const;
  try {
    await chain.send(sent.transaction);
    return submitted;
  } catch (error) {
    if (error instanceof ChainUnavailableError) return submitted;
    if (!(error instanceof TransactionRefusedError)) {
      deps.log.error({ err: error, agentId: order.agentId, orderId: order.id }, "send failed");
      return submitted;
    }
    // Another node may know the blockhash, or the bytes are already in: only a failing instruction says what they do
    if (error.error.kind === "transaction") return submitted;
    // Nobody else has these bytes and the only node that saw them dropped them
    const report = venue.reportOrder(account, refusedOutcome(sent, error));
    const reason = report.kind === "rejected" ? report.reason : error.error.name;
    const isRecorded = await recordOutcome(
      deps,
      order,
      agent,
      { lane, ledger },
      {
        state: "rejected",
        reason,
      },
    );
    return isRecorded ? { kind: "ended", reason } : { kind: "lost" };
  }
}

const refusedOutcome = (sent: SentOrder, refusal: TransactionRefusedError): TransactionOutcome => ({
  signature: sent.signature as Signature,
  slot: 0n,
  blockTime: null,
  error: refusal.error,
  logs: refusal.logs,
  feeLamports: 0n,
  lamportDeltas: new Map(),
  tokenDeltas: [],
});
