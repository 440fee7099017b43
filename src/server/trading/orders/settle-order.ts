import type { Signature } from "@solana/kit";
import { isOutcomeOverdue } from "../../../domain/order/order-states.ts";
import {
  type Chain,
  ChainUnavailableError,
  type SignatureStatus,
  TransactionRefusedError,
  type Simulation,
  readOutcome,
} from "../../../solana/chain.ts";
import { askSignature } from "../../../solana/settle-signature.ts";
import type { SentOrder } from "../../store/orders/orders.ts";
import { type OrderContext, type Step, stepTo, type TradingAgent } from "./order-context.ts";
import { outcomeOf, toStep, bookedFills, type OrderOutcome, unlanded } from "./outcome.ts";
import { listSignatures } from "../../../solana/list-signatures.ts";
import { isLogCut } from "../../../solana/program-logs.ts";
import type {
  OrderTransaction,
  RestingOrder,
  RestingProgress,
} from "../../../venues/placed-order.ts";
import type { TradingPort, Venue } from "../../../venues/ports.ts";
import type { VenueAccount } from "../../../venues/venue.ts";
import { sumTradedBase } from "../../store/custody/custody-notices.ts";
import type { BookedFill, FollowUp, FollowUpStep } from "../../store/orders/change.ts";
import { listOrderFills } from "../../store/orders/order-transactions.ts";
import { sendQuietly, signOrder } from "./sign-order.ts";
import { protectEntering } from "./keep-plan.ts";

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
  if (agent.runtime === null || agent.account === null) return stepTo("waiting");
  const { chain, venue } = agent.runtime;
  const { sent } = order;
  const answer = await askChain(chain, sent).catch((error: unknown) => {
    if (error instanceof ChainUnavailableError) return "open" as const;
    throw error;
  });
  switch (answer) {
    case "unpaid":
      return loseTrack(context, "fee_payer_empty");
    case "open":
      return isOutcomeOverdue(sent.submittedAtMs, context.deps.clock.now())
        ? loseTrack(context, "outcome_unknown")
        : stepTo({ look: () => settleOrder(context) });
    case "expired":
      return toStep(context, { event: "expire", reason: "expired" });
    default:
      return settleLanded(context, { chain, venue, account: agent.account }, answer);
  }
}

/**
 * Returns what a landed order did: an order that rests is found in the account, which many orders read in one request;
 * only the transaction tells of anything else.
 */
async function settleLanded(
  context: OrderContext,
  on: { readonly chain: Chain; readonly venue: Venue; readonly account: VenueAccount },
  { slot, error }: SignatureStatus,
): Promise<Step> {
  const { chain, venue, account } = on;
  const { intent, sent } = context.order;
  const found =
    error === null && intent !== null
      ? ((await venue.findResting?.(account, { ...intent, slot })) ?? null)
      : null;
  if (found !== null) {
    const { order, progress } = found;
    return toFollowedStep(context, { event: "rest", order, fills: [], slot }, progress);
  }
  const landed = await chain.transaction(sent?.signature as Signature);
  if (landed === null) return stepTo("waiting");
  return toFollowedStep(context, outcomeOf(venue.reportOrder(account, landed), landed));
}

/** An order that came to rest is followed at once: its turn ends in a watch. */
function toFollowedStep(
  context: OrderContext,
  outcome: OrderOutcome,
  progress?: RestingProgress,
): Step {
  const step = toStep(context, outcome);
  if (outcome.event !== "rest") return step;
  const order = { ...context.order, state: "resting", resting: outcome.order } as const;
  return { ...step, next: () => followResting({ ...context, order }, progress) };
}

async function askChain(
  chain: Chain,
  sent: SentOrder,
): Promise<SignatureStatus | "expired" | "open" | "unpaid"> {
  const signature = sent.signature as Signature;
  const answer = await askSignature(chain, { ...sent, signature });
  if (answer.kind !== "pending") return answer.kind === "landed" ? answer.status : "expired";
  return isUnpaid(await sendQuietly(chain, sent)) ? "unpaid" : "open";
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

/** A resting order with the venue it rests at. */
interface Following extends OrderContext {
  readonly resting: RestingOrder;
  readonly runtime: NonNullable<TradingAgent["runtime"]>;
  readonly account: VenueAccount;
  readonly venue: Venue & Required<Pick<TradingPort, "followOrder" | "fillsOfResting">>;
}

/**
 * Advances an order that rests at its venue: fills it where possible, cancels it once it expired, and records its fills
 * by any filler. Every transaction is stored before it is sent, one at a time.
 *
 * Throws `ChainUnavailableError` with nothing stored when the venue cannot be read.
 */
async function followResting(context: OrderContext, known?: RestingProgress): Promise<Step> {
  const following = followingOf(context);
  if (following === null) return stepTo("waiting");
  const { deps, followUp: sent, venue, account, resting, runtime } = following;
  let ended: FollowUpStep | undefined;
  if (sent !== null && sent.ended === null) {
    const end = await endOf(runtime.chain, sent);
    if (end === null) return stepTo({ look: () => followResting(context) });
    ended = end;
  }
  const progress = known ?? (await venue.followOrder(account, resting));
  if (progress.kind === "alive" && sent === null && context.isStopTried !== true) {
    const tried = { ...context, isStopTried: true };
    const step = await protectEntering(tried, () => followResting(tried));
    return step ?? followResting(tried, progress);
  }
  if (progress.kind === "gone") return toStep(context, await readEnd(following, ended), ended);
  const next: Step["next"] =
    progress.kind === "alive"
      ? { look: () => followResting(context) }
      : () => sendFollowUp(following, progress);
  const part = await readPart(following, progress.filledBase);
  if (part !== null) return { ...toStep(context, part, ended), next };
  const atMs = deps.clock.now();
  return { change: ended === undefined ? null : { atMs, followUp: ended, stale: [] }, next };
}

function followingOf(context: OrderContext): Following | null {
  const { order, agent } = context;
  const { runtime, account } = agent;
  const { resting } = order;
  if (resting === null) throw new Error(`Order ${order.id} rests without a record of it`);
  if (runtime === null || account === null) return null;
  const { venue } = runtime;
  if (venue.followOrder === undefined || venue.fillsOfResting === undefined) {
    throw new Error(`${venue.id} does not follow orders`);
  }
  return { ...context, resting, runtime, account, venue: venue as Following["venue"] };
}

/** Returns how our transaction for the order ended; null while it can still land: it is sent again. */
async function endOf(chain: Chain, followUp: FollowUp): Promise<FollowUpStep | null> {
  const { lastValidBlockHeight, blockhashSlot } = followUp;
  const signature = followUp.signature as Signature;
  const answer = await askSignature(chain, { signature, lastValidBlockHeight, blockhashSlot });
  if (answer.kind !== "pending") return { kind: "ended", signature, ended: answer.kind };
  await sendQuietly(chain, followUp);
  return null;
}

async function sendFollowUp(
  following: Following,
  { kind, transaction }: Extract<RestingProgress, { readonly transaction: OrderTransaction }>,
): Promise<Step> {
  const { deps, order, runtime } = following;
  const purpose = kind === "fillable" ? "fill" : "cancel";
  const { signed, simulation, feeLamports } = await signOrder(
    deps,
    {
      agentId: order.agentId,
      purpose: "follow_up",
      account: following.account,
      isUrgent: true,
      runtime,
      feeFactor: 1n,
      // The accounts say that it will do something; where it did not, that is tried before it costs a fee again
      isTried: following.followUp !== null,
    },
    transaction,
  );
  if (!isWorthSending(following, purpose, simulation)) return stepTo("waiting");
  const followUp: FollowUp = { ...signed, purpose, ended: null };
  return {
    change: {
      atMs: deps.clock.now(),
      followUp: { kind: "begun", orderId: order.id, followUp },
      feeLamports,
      stale: [],
    },
    next: () => sendFirst(following, followUp),
  };
}

/** Sends a stored follow-up. */
async function sendFirst(following: Following, followUp: FollowUp): Promise<Step> {
  const { deps, runtime } = following;
  const refusal = await sendQuietly(runtime.chain, followUp);
  // Only this node received the bytes, and it dropped them; of other errors that is not known
  if (refusal?.error.kind !== "instruction") {
    return stepTo({ look: () => followResting({ ...following, followUp }) });
  }
  const ended = { kind: "ended", signature: followUp.signature, ended: "refused" } as const;
  return { change: { atMs: deps.clock.now(), followUp: ended, stale: [] }, next: "waiting" };
}

/**
 * Returns whether a fill transaction is likely to succeed; otherwise it would only cost a fee, and the next poll asks
 * again.
 */
function isWorthSending(
  { venue, account, resting }: Following,
  purpose: FollowUp["purpose"],
  simulation: Simulation | null,
): boolean {
  if (simulation === null) return true;
  if (simulation.error !== null) return false;
  if (purpose === "cancel") return true;
  return baseOf(venue.fillsOfResting(account, resting, unlanded(null, simulation.logs))) > 0n;
}

/** Returns what the open order has filled since the last poll; null for nothing. */
async function readPart(following: Following, filledBase: bigint): Promise<OrderOutcome | null> {
  if (filledBase === 0n) return null;
  const { deps, order, resting } = following;
  const known = await listOrderFills(deps.lanes, order.id);
  if (filledBase <= baseOf(known)) return null;
  const { fills } = await searchFills(following);
  return { event: "rest", order: resting, fills, slot: lastSlot(fills) };
}

/** Returns the fills of our own transaction, where they are all of the order: then there is nothing to search for. */
async function readOwnFill(
  { order, runtime: { chain }, account, venue, resting }: Following,
  ended: FollowUpStep | undefined,
): Promise<FoundFills | null> {
  // A stop was triggered in a transaction of its own, which had its price
  const wasTriggered = order.planAct !== null && order.planAct !== "add" && order.exitId === null;
  if (wasTriggered || ended?.kind !== "ended" || ended.ended !== "landed") return null;
  const outcome = await chain.transaction(ended.signature as Signature);
  if (outcome === null || outcome.error !== null) return null;
  const fills = bookedFills(venue.fillsOfResting(account, resting, outcome), outcome);
  return baseOf(fills) < resting.baseSize ? null : { fills, slot: outcome.slot, isCut: false };
}

async function readEnd(following: Following, ended?: FollowUpStep): Promise<OrderOutcome> {
  const { fills, slot, isCut } =
    (await readOwnFill(following, ended)) ?? (await searchFills(following));
  const filled = baseOf(fills);
  const isWhole = filled >= following.resting.baseSize;
  const isUnread = isCut && !isWhole && !(await isAllRead(following, { filled, slot }));
  const unread = isUnread ? { reason: "fills_unread", slot } : {};
  return filled === 0n
    ? { event: "cancel", reason: "cancelled", fills, ...unread }
    : { event: isWhole ? "fill" : "fill_partly", fills, slot: lastSlot(fills), ...unread };
}

const baseOf = (fills: readonly Pick<BookedFill, "baseSize">[]): bigint =>
  fills.reduce((sum, { baseSize }) => sum + baseSize, 0n);

/**
 * Returns whether the fills that were read explain the position: then the logs that were cut, which anybody can have
 * name our account, held none of them.
 */
async function isAllRead(
  { deps, order, resting, account, venue }: Following,
  read: { readonly filled: bigint; readonly slot: bigint },
): Promise<boolean> {
  const { slot, positions } = await venue.accountState(account);
  if (slot < read.slot) throw new ChainUnavailableError("The node has not seen the fills yet");
  const traded = (await sumTradedBase(deps.db, order.agentId)).get(resting.marketId) ?? 0n;
  const held = positions
    .filter(({ marketId }) => marketId === resting.marketId)
    .reduce((sum, { side, baseSize }) => sum + (side === "long" ? baseSize : -baseSize), 0n);
  const change = held - traded;
  return read.filled === (change < 0n ? -change : change);
}

const lastSlot = (fills: readonly BookedFill[]): bigint =>
  fills.reduce((last, { slot }) => (slot > last ? slot : last), 0n);

interface FoundFills {
  readonly fills: readonly BookedFill[];
  /** The chain had reached it when they were searched for. */
  readonly slot: bigint;
  /** Whether the log of a transaction that may have filled the order was cut. */
  readonly isCut: boolean;
}

/**
 * Returns every fill of the order, by us and by keepers, oldest first.
 *
 * The queried node has reached at least the slot of the last venue read. Throws `ChainUnavailableError` when it does
 * not know the transaction that placed the order, because it may then miss others.
 */
async function searchFills({
  order,
  resting,
  runtime: { chain },
  account,
  venue,
}: Following): Promise<FoundFills> {
  const { account: address } = await venue.readCustody(account);
  if (address === null) throw new ChainUnavailableError("The venue account is not there");
  const { slot } = await chain.progress("confirmed");
  return chain.withOneNode(async (node) => {
    const sinceSlot = order.sent?.blockhashSlot ?? 0n;
    const seen = await listSignatures(node, address, { minSlot: slot, sinceSlot });
    const placed = seen.findIndex((signature) => signature === order.sent?.signature);
    if (placed === -1) throw new ChainUnavailableError("The node does not know the order");
    const since = seen.slice(0, placed + 1).toReversed();
    const outcomes = await Promise.all(since.map((signature) => readOutcome(node, signature)));
    const landed = outcomes.flatMap((outcome) => {
      if (outcome === null) throw new ChainUnavailableError("The node lost a transaction");
      return outcome === "unreadable" || outcome.error !== null ? [] : outcome;
    });
    return {
      fills: landed.flatMap((outcome) =>
        bookedFills(venue.fillsOfResting(account, resting, outcome), outcome),
      ),
      slot,
      isCut: landed.some(({ logs }) => isLogCut(logs)),
    };
  });
}
