import { type DenialReason, denied, type Denied } from "../../domain/denial.ts";
import {
  ChainUnavailableError,
  TransactionRefusedError,
  type TransactionOutcome,
} from "../../solana/chain.ts";
import { OrderRefusedError } from "../../venues/venue.ts";
import { type SignedTransaction, SigningRefusedError } from "../custody/delegate-signer.ts";
import type { Db } from "../store/db.ts";
import { lockFencedLane, writeRiskLedger } from "../store/lanes.ts";
import { insertOrders, markOrderSubmitted, moveOrder, type OpenOrder } from "../store/orders.ts";
import { runStatement } from "../store/statement.ts";
import { insertTradeLogEntries, updateTradeLogOfOrder } from "../store/trade-log-writes.ts";
import { type DecidedOrder, decideOrder } from "./decide-order.ts";
import { publishOrderChange } from "./publish-order-change.ts";
import { recordOutcome } from "./record-fill.ts";
import type { TradingAgent } from "./trading-agent.ts";
import type { TradingDeps } from "./trading-deps.ts";

/** `lost`: somebody else holds the lane now, nothing was sent by us. */
export type Placement =
  | { readonly kind: "submitted" }
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
  fence: bigint,
): Promise<Placement> {
  const decision = await decideOrder(deps, order, agent);
  if (decision.kind === "denied") return deny(deps, order, agent, fence, decision.reason);
  const signed = await buildAndSign(deps, order, decision);
  if (signed.kind === "denied") return deny(deps, order, agent, fence, signed.reason);
  const isStored = await store(deps, order, agent, fence, decision, signed.transaction);
  if (!isStored) return { kind: "lost" };
  publishOrderChange(deps, agent.record);
  return send(deps, order, agent, fence, decision, signed.transaction);
}

async function deny(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  fence: bigint,
  reason: DenialReason,
): Promise<Placement> {
  const isDenied = await deps.db.transaction().execute(async (transaction) => {
    if (!(await lockFencedLane(transaction, order.agentId, fence))) return false;
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
  const end = { state: "denied", reason, settledAtMs: atMs } as const;
  if (!(await moveOrder(transaction, orderId, ["planned"], end))) return false;
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
    const lifetime = await place.chain.latestBlockhash();
    const transaction = await deps.signer.sign(
      intent.agentId,
      account,
      instructions,
      lifetime,
      tables,
    );
    return { kind: "signed", transaction };
  } catch (error) {
    if (error instanceof ChainUnavailableError) throw error;
    deps.log.error({ err: error, agentId: order.agentId, orderId: order.id }, "order not built");
    if (error instanceof OrderRefusedError) return denied(error.reason);
    return denied(error instanceof SigningRefusedError ? "signing_refused" : "venue_refused");
  }
}

async function store(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  fence: bigint,
  decision: DecidedOrder,
  signed: SignedTransaction,
): Promise<boolean> {
  const { intent, ledger } = decision;
  const submittedAtMs = deps.clock.now();
  return deps.db.transaction().execute(async (transaction) => {
    if (!(await lockFencedLane(transaction, order.agentId, fence))) return false;
    // Turning auto-trade off denies what was planned to open, so that it cannot get past this
    const isStored = await markOrderSubmitted(transaction, { intent, submittedAtMs, ...signed });
    if (!isStored) return false;
    await writeRiskLedger(transaction, order.agentId, ledger);
    await updateTradeLogOfOrder(transaction, order.id, {
      status: "pending",
      reason: null,
      percentage: intent.percentage,
      signature: signed.signature,
      ...(intent.reduceOnly ? { side: intent.side === "long" ? "buy" : "sell" } : {}),
    });
    if (decision.reopens) await planSecondLeg(deps, transaction, order, agent, decision);
    return true;
  });
}

async function planSecondLeg(
  deps: TradingDeps,
  transaction: Db,
  order: OpenOrder,
  agent: TradingAgent,
  decision: DecidedOrder,
): Promise<void> {
  const orderId = deps.newId();
  const { market } = decision.intent;
  const { agentId, eventId, signal } = order;
  const atMs = deps.clock.now();
  await runStatement(
    transaction,
    insertOrders([
      {
        id: orderId,
        agentId,
        eventId,
        signal,
        leg: 1,
        deniedFor: null,
        marketId: market.marketId,
        plannedAtMs: atMs,
      },
    ]),
  );
  await runStatement(
    transaction,
    insertTradeLogEntries([
      {
        id: deps.newId(),
        agentId,
        chatId: agent.record.chatId,
        eventId,
        orderId,
        market: market.marketId,
        signal,
        status: "pending",
        reason: null,
        percentage: agent.record.positionSizePercent,
        baseDecimals: market.baseDecimals,
        quoteDecimals: decision.place.venue.profile.quote.decimals,
        atMs,
      },
    ]),
  );
}

async function send(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  fence: bigint,
  decision: DecidedOrder,
  signed: SignedTransaction,
): Promise<Placement> {
  const { chain, venue } = decision.place;
  try {
    await chain.send(signed.transaction);
    return { kind: "submitted" };
  } catch (error) {
    if (error instanceof ChainUnavailableError) return { kind: "submitted" };
    if (!(error instanceof TransactionRefusedError)) {
      deps.log.error({ err: error, agentId: order.agentId, orderId: order.id }, "send failed");
      return { kind: "submitted" };
    }
    if (MAY_STILL_LAND.has(error.error.name)) return { kind: "submitted" };
    // Nobody else has these bytes and the only node that saw them dropped them
    const report = venue.reportOrder(decision.account, refusedOutcome(signed, error));
    const reason = report.kind === "rejected" ? report.reason : error.error.name;
    const isRecorded = await recordOutcome(deps, order, agent, fence, {
      state: "rejected",
      reason,
    });
    return isRecorded ? { kind: "ended", reason } : { kind: "lost" };
  }
}

/** Refusals that say nothing about the order: another node may know the blockhash, or the bytes are already in. */
const MAY_STILL_LAND: ReadonlySet<string> = new Set(["BlockhashNotFound", "AlreadyProcessed"]);

const refusedOutcome = (
  signed: SignedTransaction,
  refusal: TransactionRefusedError,
): TransactionOutcome => ({
  signature: signed.signature,
  slot: 0n,
  blockTime: null,
  error: refusal.error,
  logs: refusal.logs,
  feeLamports: 0n,
  lamportDeltas: new Map(),
  tokenDeltas: [],
});
