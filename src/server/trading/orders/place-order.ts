import type { Signature } from "@solana/kit";
import { type DenialReason, denied } from "../../../domain/denial.ts";
import { endsExit, exitFeeFactor } from "../../../domain/exit.ts";
import type { OrderIntent } from "../../../domain/order/order.ts";
import { isReducingReason, type RiskLedger } from "../../../domain/risk-ledger.ts";
import {
  ChainUnavailableError,
  type Simulation,
  type TransactionError,
  TransactionRefusedError,
  type TransactionOutcome,
} from "../../../solana/chain.ts";
import { OrderRefusedError } from "../../../venues/placed-order.ts";
import {
  type SignedTransaction,
  SigningRefusedError,
} from "../../custody/account/trading-key-signer.ts";
import type { Db } from "../../store/postgres/db.ts";
import { readDecisionCause } from "../../store/orders/decision-cause.ts";
import { type DecisionFacts, insertDecision } from "../../store/orders/decisions.ts";
import { endExits } from "../../store/orders/exits.ts";
import { lockFencedLane, storeLedger } from "../../store/lanes/lanes.ts";
import { recordSubmission, type Stored } from "../../store/orders/order-outcomes.ts";
import { moveOrder, type OpenOrder, type SentOrder } from "../../store/orders/orders.ts";
import { runStatement } from "../../store/postgres/statement.ts";
import { updateTradeLogOfOrder } from "../../store/trade-log/trade-log-writes.ts";
import { type DecidedOrder, decideOrder, type RefusedOrder } from "./decide-order.ts";
import { type DecisionTrace, factsOf, startTrace } from "./decision-trace.ts";
import { closedSide, publishTrading, scheduleExitRetry } from "./exits.ts";
import type { LaneTurn } from "./lane-turn.ts";
import { planSecondLeg } from "./plan-second-leg.ts";
import { publishOrderChange } from "./publish-order-change.ts";
import { recordOutcome } from "./record-fill.ts";
import { isUnpaid, sayUnpaid } from "./settle-order.ts";
import { signOrder } from "./sign-order.ts";
import type { TradingAgent } from "./trading-agent.ts";
import type { TradingDeps } from "./trading-deps.ts";

/** `put_off`: an exit waits for its next attempt. `lost`: another worker holds the lane and we sent nothing. */
export type Placement =
  | { readonly kind: "submitted"; readonly order: OpenOrder; readonly ledger: RiskLedger }
  | { readonly kind: "ended" }
  | { readonly kind: "put_off" }
  | { readonly kind: "lost" };

/**
 * Sends a planned order, or records why it was not sent.
 *
 * Bytes and signature are stored before sending, so that after a crash the same bytes are looked up or sent again.
 * Throws `ChainUnavailableError` with nothing stored when the venue could not be read for an entry.
 */
export async function placeOrder(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  turn: LaneTurn,
): Promise<Placement> {
  const trace = startTrace();
  const deciding = decideAndSign(deps, order, agent, turn, trace).catch((error: unknown) => {
    if (!(error instanceof ChainUnavailableError) || closedSide(order) === null) throw error;
    return { ...denied("node_unavailable"), error };
  });
  const [decided, cause] = await Promise.all([deciding, readDecisionCause(deps.lanes, order.id)]);
  const ids = { agentId: order.agentId, orderId: order.id };
  if (decided.kind === "denied") {
    const facts = factsOf(trace, cause, decided.reason);
    const placement = await refuse(deps, order, agent, turn, decided, facts);
    sayDenied(deps, { ...ids, reason: decided.reason }, decided.error, placement);
    return placement;
  }
  const { decision, transaction, failure } = decided;
  deps.log.debug({ ...ids, signature: transaction.signature, failure }, "order signed");
  const facts = factsOf(trace, cause, failure);
  // The order would fail if sent: postpone the exit, with a wider limit unless the venue is paused
  if (failure !== null && closedSide(order) !== null) {
    const putOff = { reason: failure, isAttempt: decision.isVenueAvailable, facts };
    const isPutOff = await scheduleExitRetry(deps, order, agent, turn, putOff);
    return { kind: isPutOff ? "put_off" : "lost" };
  }
  const sent = { ...transaction, submittedAtMs: deps.clock.now() };
  const stored = await store(deps, order, agent, turn, decided, sent, facts);
  if (stored === "lost") {
    deps.log.debug(ids, "overtaken");
    return { kind: "lost" };
  }
  if (stored === "same_bytes") {
    throw new ChainUnavailableError("No block since the agent's last order of the same kind");
  }
  publishOrderChange(deps, agent.record);
  if (decision.nearsLimit) publishTrading(deps, agent.record);
  const { side, reduceOnly, baseSize, slippageBps, market, isLimited } = decision.intent;
  const intent = {
    marketId: market.marketId,
    side,
    reduceOnly,
    baseSize,
    slippageBps,
    ...(isLimited === true && { isLimited }),
  };
  return send(deps, { ...order, state: "submitted", intent, sent }, agent, turn, decision);
}

/** Account, market or price may forbid an order, and an overtaken worker may meet what another placed: no errors. */
function sayDenied(deps: TradingDeps, ids: object, error: unknown, placement: Placement): void {
  const isExpected =
    error === undefined ||
    error instanceof ChainUnavailableError ||
    error instanceof OrderRefusedError ||
    (error instanceof SigningRefusedError && error.hasMarketMoved);
  if (placement.kind === "lost") deps.log.debug({ ...ids, err: error }, "overtaken");
  else if (isExpected) deps.log.debug({ ...ids, err: error }, "order denied");
  else deps.log.error({ ...ids, err: error }, "order not built");
}

/** For an exit only "no position left" is final; every other refusal is retried. */
async function refuse(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  turn: LaneTurn,
  { reason, ledger }: RefusedOrder,
  facts: DecisionFacts,
): Promise<Placement> {
  if (closedSide(order) !== null && !endsExit(reason)) {
    // Only a wider limit takes a quote beyond the present one
    const putOff = { reason, isAttempt: reason === "price_deviation", facts };
    const isPutOff = await scheduleExitRetry(deps, order, agent, turn, putOff);
    return { kind: isPutOff ? "put_off" : "lost" };
  }
  const isDenied = await deps.db.transaction().execute(async (transaction) => {
    if (!(await lockFencedLane(transaction, turn.lane))) return false;
    if (ledger !== undefined && ledger !== turn.ledger) {
      await storeLedger(transaction, order.agentId, ledger);
    }
    return recordDenial(deps, transaction, order, reason, facts);
  });
  if (!isDenied) return { kind: "lost" };
  publishOrderChange(deps, agent.record);
  if (order.exitId !== null || isReducingReason(reason)) publishTrading(deps, agent.record);
  return { kind: "ended" };
}

async function recordDenial(
  deps: TradingDeps,
  transaction: Db,
  order: OpenOrder,
  reason: DenialReason,
  facts: DecisionFacts,
): Promise<boolean> {
  const atMs = deps.clock.now();
  const end = { reason, settledAtMs: atMs };
  if (!(await moveOrder(transaction, order.id, "deny", end))) return false;
  await updateTradeLogOfOrder(transaction, order.id, { status: "failed", reason, atMs });
  await runStatement(transaction, insertDecision(order.id, { atMs, facts }));
  if (order.exitId !== null) {
    await endExits(transaction, order.agentId, "done", atMs, order.exitId);
  }
  return true;
}

async function decideAndSign(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  turn: LaneTurn,
  trace: DecisionTrace,
): Promise<SignedDecision | RefusedOrder> {
  const decision = await decideOrder(deps, order, agent, turn, trace);
  if (decision.kind === "denied") return decision;
  const signed = await buildAndSign(deps, decision, turn.exit?.attempts ?? 0, trace);
  return signed.kind === "denied"
    ? { ...signed, ledger: decision.looked }
    : { ...signed, decision };
}

interface BuiltOrder {
  readonly kind: "signed";
  readonly transaction: SignedTransaction;
  /** Fee offered for it, in lamports. */
  readonly feeLamports: bigint;
  /** Simulated failure reason; null when the simulation succeeded or was not run. */
  readonly failure: string | null;
}

interface SignedDecision extends BuiltOrder {
  readonly decision: DecidedOrder;
}

function failureOf({ account, place }: DecidedOrder, simulation: Simulation | null): string | null {
  if (simulation === null || simulation.error?.kind !== "instruction") return null;
  const { error, logs } = simulation;
  const report = place.venue.reportOrder(account, unlanded("", error, logs));
  return report.kind === "rejected" ? report.reason : error.name;
}

async function buildAndSign(
  deps: TradingDeps,
  decision: DecidedOrder,
  attempts: number,
  trace: DecisionTrace,
): Promise<BuiltOrder | RefusedOrder> {
  const { account, seen, place, intent } = decision;
  try {
    const built = await place.venue.buildOrder(account, intent, seen);
    trace.built = built;
    const { signed, simulation, feeLamports } = await signOrder(
      deps,
      { agentId: intent.agentId, purpose: "order", place, feeFactor: exitFeeFactor(attempts) },
      built,
    );
    const failure = failureOf(decision, simulation);
    return { kind: "signed", transaction: signed, feeLamports, failure };
  } catch (error) {
    if (error instanceof ChainUnavailableError) throw error;
    return { ...denied(refusalOf(error, intent)), error };
  }
}

function refusalOf(error: unknown, { isLimited }: OrderIntent): DenialReason {
  if (error instanceof OrderRefusedError) {
    // A limit may make an order smaller than the market's minimum: then the limit is the reason
    return error.reason === "below_minimum" && isLimited === true ? "limit_used" : error.reason;
  }
  if (!(error instanceof SigningRefusedError)) return "venue_refused";
  return error.hasMarketMoved ? "market_moved" : "signing_refused";
}

/** Stores the order. Turning auto-trade off denies planned entries, so none passes this check afterwards. */
function store(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  { lane }: LaneTurn,
  { decision, feeLamports }: SignedDecision,
  sent: SentOrder,
  facts: DecisionFacts,
): Promise<Stored> {
  const { intent, ledger, reopens } = decision;
  return recordSubmission(deps.lanes, lane, {
    intent,
    sent,
    feeLamports,
    ledger,
    side: intent.reduceOnly ? (intent.side === "long" ? "buy" : "sell") : null,
    secondLeg: reopens ? planSecondLeg(deps, order, agent, decision, facts) : null,
    decision: { atMs: sent.submittedAtMs, facts },
    quoteDecimals: decision.place.venue.instance.quote.decimals,
  });
}

async function send(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  turn: LaneTurn,
  { account, ledger, place }: DecidedOrder,
): Promise<Placement> {
  const { chain, venue } = place;
  const { sent } = order;
  if (sent === null) throw new Error(`Order ${order.id} has nothing to send`);
  const submitted = { kind: "submitted", order, ledger } as const;
  try {
    await chain.send(sent.transaction);
    deps.log.debug(
      { agentId: order.agentId, orderId: order.id, signature: sent.signature },
      "order sent",
    );
    return submitted;
  } catch (error) {
    if (error instanceof ChainUnavailableError) return submitted;
    if (!(error instanceof TransactionRefusedError)) {
      deps.log.error({ err: error, agentId: order.agentId, orderId: order.id }, "send failed");
      return submitted;
    }
    // Only a failing instruction is conclusive: another node may know the blockhash, or the bytes may have landed
    // already
    if (error.error.kind === "transaction") {
      if (isUnpaid(error)) await sayUnpaid(deps, order, agent);
      return submitted;
    }
    // Only this node received the bytes, and it dropped them
    const report = venue.reportOrder(account, unlanded(sent.signature, error.error, error.logs));
    const reason = report.kind === "rejected" ? report.reason : error.error.name;
    const held = { ...turn, ledger };
    const isRecorded = await recordOutcome(deps, order, agent, held, { event: "reject", reason });
    return { kind: isRecorded ? "ended" : "lost" };
  }
}

const unlanded = (
  signature: string,
  error: TransactionError,
  logs: readonly string[],
): TransactionOutcome => ({
  signature: signature as Signature,
  slot: 0n,
  blockTime: null,
  error,
  logs,
  feeLamports: 0n,
  lamportDeltas: new Map(),
  tokenDeltas: [],
});
