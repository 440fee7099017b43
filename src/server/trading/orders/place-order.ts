import { type DenialReason, denied } from "../../../domain/reasons.ts";
import { endsExit, endsPart, exitFeeFactor } from "../../../domain/exit.ts";
import type { OrderIntent } from "../../../domain/order/order.ts";
import { isReducingReason } from "../../../domain/risk-ledger.ts";
import {
  ChainUnavailableError,
  PriceUnavailableError,
  type Simulation,
  TransactionRefusedError,
} from "../../../solana/chain.ts";
import { OrderRefusedError } from "../../../venues/placed-order.ts";
import {
  type SignedTransaction,
  SigningRefusedError,
  type SigningRefusal,
} from "../../custody/account/trading-key-signer.ts";
import type { Change, PlannedOrder } from "../../store/orders/change.ts";
import { readDecisionCause } from "../../store/orders/decision-cause.ts";
import type { DecisionFacts } from "../../store/orders/decisions.ts";
import type { SentOrder } from "../../store/orders/orders.ts";
import { type DecidedOrder, decideOrder, type RefusedOrder } from "./decide-order.ts";
import { type DecisionTrace, factsOf, noteCheck, startTrace } from "./decision-trace.ts";
import { closedSide, partOf, putOff } from "./exits.ts";
import { type OrderContext, planOrder, type Step, stepTo } from "./order-context.ts";
import { recordOutcome, unlanded } from "./outcome.ts";
import { isUnpaid, loseTrack, settleOrder } from "./settle-order.ts";
import { signOrder } from "./sign-order.ts";

interface BuiltOrder {
  readonly kind: "signed";
  /** As signed: an order may have a narrower limit than decided. */
  readonly intent: DecidedOrder["intent"];
  readonly transaction: SignedTransaction;
  /** Fee offered for it, in lamports. */
  readonly feeLamports: bigint;
  /** Simulated failure reason; null when the simulation succeeded or was not run. */
  readonly failure: string | null;
}

interface SignedDecision extends BuiltOrder {
  readonly decision: DecidedOrder;
}

/**
 * Decides and signs a planned order: it is stored and then sent, or the reason is stored why not.
 *
 * Bytes and signature are stored before sending, so that after a crash the same bytes are looked up or sent again.
 * Throws `ChainUnavailableError` with nothing stored when the venue could not be read for an entry.
 */
export async function placeOrder(context: OrderContext): Promise<Step> {
  const { deps, order } = context;
  const trace = startTrace();
  const decided = await decideAndSign(context, trace).catch((error: unknown) => {
    if (error instanceof PriceUnavailableError) return { ...denied("stale_price"), error };
    if (!(error instanceof ChainUnavailableError) || closedSide(order) === null) throw error;
    return { ...denied("node_unavailable"), error };
  });
  const cause = trace.cause ?? (await readDecisionCause(deps.lanes, order.id));
  if (decided.kind === "denied") {
    return refuse(context, decided, factsOf(trace, cause, decided.reason));
  }
  const { decision, transaction, failure } = decided;
  deps.log.debug(
    { agentId: order.agentId, orderId: order.id, signature: transaction.signature, failure },
    "order signed",
  );
  const facts = factsOf(trace, cause, failure);
  // The order would fail if sent: postpone the exit, with a wider limit unless the venue is paused
  if (failure !== null && closedSide(order) !== null) {
    const { isVenueAvailable: isAttempt } = decision;
    return { change: putOff(context, { reason: failure, isAttempt, facts }), next: "moved" };
  }
  const sent = { ...transaction, submittedAtMs: deps.clock.now() };
  return {
    change: submit(context, decided, sent, facts),
    next: () => sendOrder(context, decision, sent),
  };
}

async function decideAndSign(
  context: OrderContext,
  trace: DecisionTrace,
): Promise<SignedDecision | RefusedOrder> {
  const decision = await decideOrder(context, trace);
  if (decision.kind === "denied") return decision;
  const signed = await buildAndSign(context, decision, trace);
  return signed.kind === "denied"
    ? { ...signed, ledger: decision.looked }
    : { ...signed, decision: { ...decision, intent: signed.intent } };
}

async function buildAndSign(
  context: OrderContext,
  decision: DecidedOrder,
  trace: DecisionTrace,
): Promise<BuiltOrder | RefusedOrder> {
  const { intent } = decision;
  try {
    return await signIntent(context, decision, intent, trace).catch((error: unknown) => {
      const slippageBps = error instanceof SigningRefusedError ? error.limitBps : undefined;
      if (slippageBps === undefined) throw error;
      // Orders have cost too much, or the signer has not seen as many attempts fail: at its limit the order goes on
      return signIntent(context, decision, { ...intent, slippageBps }, trace);
    });
  } catch (error) {
    if (error instanceof ChainUnavailableError) throw error;
    const reason = refusalOf(error, intent);
    if (error instanceof SigningRefusedError && error.untilMs !== undefined) {
      const figure = BigInt(Math.ceil(error.untilMs));
      noteCheck(trace, "signing_costs", reason, reason, { unit: "time", figure, limit: null });
    }
    return { ...denied(reason), error };
  }
}

async function signIntent(
  { deps, exit }: OrderContext,
  decision: DecidedOrder,
  intent: DecidedOrder["intent"],
  trace: DecisionTrace,
): Promise<BuiltOrder> {
  const { account, seen, runtime, isVenueAvailable } = decision;
  const { agentId, reduceOnly } = intent;
  const attempts = exit?.attempts ?? 0;
  const built = await runtime.venue.buildOrder(account, intent, seen);
  trace.built = built;
  const { signed, simulation, feeLamports } = await signOrder(
    deps,
    {
      agentId,
      purpose: "order",
      account,
      isUrgent: reduceOnly,
      runtime,
      feeFactor: exitFeeFactor(attempts),
      // What failed once is put off from then on, without a line in the log for each attempt
      isTried: reduceOnly && (attempts > 0 || !isVenueAvailable),
    },
    built,
  );
  const failure = failureOf(decision, simulation);
  // A part is closed in the market's steps: what a step leaves of it is not tried again
  const ordered = intent.heldBase === undefined ? intent : { ...intent, baseSize: built.baseSize };
  return { kind: "signed", intent: ordered, transaction: signed, feeLamports, failure };
}

function failureOf(
  { account, runtime }: DecidedOrder,
  simulation: Simulation | null,
): string | null {
  if (simulation === null || simulation.error?.kind !== "instruction") return null;
  const { error, logs } = simulation;
  const report = runtime.venue.reportOrder(account, unlanded(error, logs));
  return report.kind === "rejected" ? report.reason : error.name;
}

const SIGNING_DENIALS: Readonly<Record<SigningRefusal, DenialReason>> = {
  refused: "signing_refused",
  moved: "market_moved",
  limited: "signing_limit",
};

function refusalOf(error: unknown, { isLimited }: OrderIntent): DenialReason {
  if (error instanceof OrderRefusedError) {
    // A limit may make an order smaller than the market's minimum: then the limit is the reason
    return error.reason === "below_minimum" && isLimited === true ? "limit_used" : error.reason;
  }
  if (!(error instanceof SigningRefusedError)) return "venue_refused";
  return SIGNING_DENIALS[error.kind];
}

/** For an exit only "no position left" is final; every other refusal is retried. */
function refuse(context: OrderContext, refused: RefusedOrder, facts: DecisionFacts): Step {
  const { order } = context;
  const { reason } = refused;
  const isEnd = partOf(order, context.exit) === null ? endsExit : endsPart;
  const change =
    closedSide(order) !== null && !isEnd(reason)
      ? // Only a wider limit takes a quote beyond the present one
        putOff(context, { reason, isAttempt: reason === "price_deviation", facts })
      : deny(context, refused, facts);
  return { change, afterwards: () => sayDenied(context, refused), next: "moved" };
}

function deny(
  { deps, order, ledger: before }: OrderContext,
  { reason, ledger }: RefusedOrder,
  facts: DecisionFacts,
): Change {
  const { exitId } = order;
  const isCondition = exitId !== null || isReducingReason(reason);
  return {
    atMs: deps.clock.now(),
    order: { id: order.id, event: "deny", reason },
    decision: facts,
    ...(ledger !== undefined && ledger !== before && { ledger }),
    ...(exitId !== null && { endedExits: { ids: [exitId], state: "done" } }),
    stale: ["order", ...(isCondition ? ["agent" as const] : [])],
  };
}

/** Account, market or price may forbid an order: no errors. */
function sayDenied({ deps, order }: OrderContext, { reason, error }: RefusedOrder): void {
  const isExpected =
    error === undefined ||
    error instanceof ChainUnavailableError ||
    error instanceof OrderRefusedError ||
    (error instanceof SigningRefusedError && error.kind !== "refused");
  const detail = { agentId: order.agentId, orderId: order.id, reason, err: error };
  if (isExpected) deps.log.debug(detail, "order denied");
  else deps.log.error(detail, "order not built");
}

/** Turning auto-trade off denies planned entries, so none is submitted afterwards. */
function submit(
  context: OrderContext,
  { decision, feeLamports }: SignedDecision,
  sent: SentOrder,
  facts: DecisionFacts,
): Change {
  const { intent, ledger, reopens, nearsLimit, runtime } = decision;
  return {
    atMs: sent.submittedAtMs,
    order: { id: intent.orderId, event: "submit", reason: null, submitted: { intent, sent } },
    line: {
      signature: sent.signature,
      percentage: intent.percentage,
      ...(intent.reduceOnly && { side: intent.side === "long" ? "buy" : "sell" }),
      baseDecimals: intent.market.baseDecimals,
      quoteDecimals: runtime.venue.instance.quote.decimals,
    },
    ledger,
    decision: facts,
    feeLamports,
    ...(reopens && { planned: [planSecondLeg(context, decision, facts)] }),
    stale: ["order", ...(nearsLimit ? ["agent" as const] : [])],
  };
}

/** Returns the opening half of a reversal, planned together with the closing half that is sent now. */
function planSecondLeg(
  { deps, order: { eventId, signal }, agent: { record } }: OrderContext,
  { intent: { market } }: DecidedOrder,
  { cause: { ruleId } }: DecisionFacts,
): PlannedOrder {
  const { marketId } = market;
  return planOrder(
    deps,
    record,
    { eventId, signal, leg: 1, marketId, exitId: null, plannedAtMs: deps.clock.now() },
    { percentage: record.positionSizePercent, ruleId },
  );
}

/** Sends a stored order. */
async function sendOrder(
  planned: OrderContext,
  { account, ledger, runtime, intent }: DecidedOrder,
  sent: SentOrder,
): Promise<Step> {
  const { deps } = planned;
  const { chain, venue } = runtime;
  const order = {
    ...planned.order,
    state: "submitted" as const,
    intent: { ...intent, marketId: intent.market.marketId },
    sent,
  };
  const context = { ...planned, order, ledger };
  const look = () => settleOrder(context);
  // Nodes confirm after a while: the place is another lane's until a look finds the outcome
  const settle = stepTo(runtime.requestsPerSecond === undefined ? look : { look });
  const ids = { agentId: order.agentId, orderId: order.id };
  try {
    await chain.send(sent.transaction);
    deps.log.debug({ ...ids, signature: sent.signature }, "order sent");
    return settle;
  } catch (error) {
    if (error instanceof ChainUnavailableError) return settle;
    if (!(error instanceof TransactionRefusedError)) {
      deps.log.error({ err: error, ...ids }, "send failed");
      return settle;
    }
    // Only a failing instruction is conclusive: another node may know the blockhash, or the bytes may have landed
    // already
    if (error.error.kind === "transaction") {
      return isUnpaid(error) ? loseTrack(context, "fee_payer_empty") : settle;
    }
    // Only this node received the bytes, and it dropped them
    const report = venue.reportOrder(account, unlanded(error.error, error.logs, sent.signature));
    const reason = report.kind === "rejected" ? report.reason : error.error.name;
    return { change: recordOutcome(context, { event: "reject", reason }), next: "moved" };
  }
}
