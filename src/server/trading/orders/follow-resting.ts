import type { Signature } from "@solana/kit";
import {
  type Chain,
  ChainUnavailableError,
  type Simulation,
  type TransactionOutcome,
  TransactionRefusedError,
} from "../../../solana/chain.ts";
import { listSignatures } from "../../../solana/list-signatures.ts";
import { isLogCut } from "../../../solana/program-logs.ts";
import { readOutcome } from "../../../solana/read-outcome.ts";
import { askSignature } from "../../../solana/settle-signature.ts";
import type { OrderTransaction, RestingOrder } from "../../../venues/placed-order.ts";
import type { TradingPort, Venue } from "../../../venues/ports.ts";
import type { VenueAccount } from "../../../venues/venue.ts";
import { type BookedFill, listOrderFills } from "../../store/orders/order-outcomes.ts";
import { sumTradedBase } from "../../store/custody/custody-notices.ts";
import { addOwnerFee } from "../../store/orders/owner-fees.ts";
import {
  endFollowUp,
  type FollowUp,
  insertFollowUp,
  readOpenFollowUp,
} from "../../store/orders/order-transactions.ts";
import type { OpenOrder } from "../../store/orders/orders.ts";
import type { TradingAgent } from "./trading-agent.ts";
import type { TradingDeps } from "./trading-deps.ts";
import type { LaneTurn } from "./lane-turn.ts";
import { bookedFills } from "./outcome-of.ts";
import { type OrderOutcome, recordOutcome } from "./record-fill.ts";
import { signOrder } from "./sign-order.ts";

/** A resting order with the network and venue it rests at. */
interface Following {
  readonly order: OpenOrder;
  readonly resting: RestingOrder;
  readonly agent: TradingAgent;
  readonly place: NonNullable<TradingAgent["place"]>;
  readonly account: VenueAccount;
  readonly venue: Venue & Required<Pick<TradingPort, "followOrder" | "fillsOfResting">>;
}

/**
 * Advances an order that rests at its venue: fills it where possible, cancels it once it expired, and records its fills
 * by any filler. Every transaction is stored before it is sent, one at a time.
 *
 * `open`: check again later. Throws `ChainUnavailableError` with nothing sent when the venue cannot be read.
 */
export async function followResting(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  turn: LaneTurn,
): Promise<"traded" | "failed" | "open" | "lost"> {
  const following = followingOf(order, agent);
  if (following === null || !(await isFollowUpOver(deps, following))) return "open";
  const { venue, account, resting } = following;
  const progress = await venue.followOrder(account, resting);
  if (progress.kind === "gone") return recordEnd(deps, following, turn);
  await bookPart(deps, following, turn, progress.filledBase);
  if (progress.kind === "fillable")
    await sendFollowUp(deps, following, turn, "fill", progress.transaction);
  if (progress.kind === "cancellable") {
    await sendFollowUp(deps, following, turn, "cancel", progress.transaction);
  }
  return "open";
}

function followingOf(order: OpenOrder, agent: TradingAgent): Following | null {
  const { place, account } = agent;
  const { resting } = order;
  if (resting === null) throw new Error(`Order ${order.id} rests without a record of it`);
  if (place === null || account === null) return null;
  const { venue } = place;
  if (venue.followOrder === undefined || venue.fillsOfResting === undefined) {
    throw new Error(`${venue.id} does not follow orders`);
  }
  return { order, resting, agent, place, account, venue: venue as Following["venue"] };
}

/** Returns whether none of our transactions for the order can still land; one that can is sent again. */
async function isFollowUpOver(
  deps: TradingDeps,
  { order, place: { chain } }: Following,
): Promise<boolean> {
  const followUp = await readOpenFollowUp(deps.lanes, order.id);
  if (followUp === null) return true;
  const { lastValidBlockHeight, blockhashSlot } = followUp;
  const signature = followUp.signature as Signature;
  const answer = await askSignature(chain, { signature, lastValidBlockHeight, blockhashSlot });
  if (answer.kind === "pending") {
    await send(chain, followUp);
    return false;
  }
  await endFollowUp(deps.lanes, followUp.signature, answer.kind);
  return true;
}

async function sendFollowUp(
  deps: TradingDeps,
  following: Following,
  turn: LaneTurn,
  purpose: FollowUp["purpose"],
  transaction: OrderTransaction,
): Promise<void> {
  const { order, place } = following;
  const { signed, simulation, feeLamports } = await signOrder(
    deps,
    { agentId: order.agentId, purpose: "follow_up", place, feeFactor: 1n },
    transaction,
  );
  if (!isWorthSending(following, purpose, simulation)) return;
  const followUp = { ...signed, purpose };
  const atMs = deps.clock.now();
  if (!(await insertFollowUp(deps.lanes, turn.lane, order.id, followUp, atMs))) return;
  await addOwnerFee(deps.lanes, order.agentId, feeLamports, atMs);
  await send(place.chain, followUp);
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
  return venue.fillsOfResting(account, resting, simulatedOutcome(simulation)).length > 0;
}

const simulatedOutcome = ({ logs }: Simulation): TransactionOutcome => ({
  signature: "" as Signature,
  slot: 0n,
  blockTime: null,
  error: null,
  logs,
  feeLamports: 0n,
  lamportDeltas: new Map(),
  tokenDeltas: [],
});

async function send(chain: Chain, { transaction }: FollowUp): Promise<void> {
  try {
    await chain.send(transaction);
  } catch (error) {
    // Its outcome is queried before anything else is sent
    if (error instanceof ChainUnavailableError || error instanceof TransactionRefusedError) return;
    throw error;
  }
}

/** Records what the open order has filled since the last poll. */
async function bookPart(
  deps: TradingDeps,
  following: Following,
  turn: LaneTurn,
  filledBase: bigint,
): Promise<void> {
  const { order, resting, agent } = following;
  const known = await listOrderFills(deps.lanes, order.id);
  const booked = known.reduce((sum, fill) => sum + fill.baseSize, 0n);
  if (filledBase <= booked) return;
  const { fills } = await searchFills(following);
  await recordOutcome(deps, order, agent, turn, {
    event: "rest",
    order: resting,
    fills,
    slot: lastSlot(fills),
  });
}

async function recordEnd(
  deps: TradingDeps,
  following: Following,
  turn: LaneTurn,
): Promise<"traded" | "failed" | "lost"> {
  const { order, resting, agent } = following;
  const { fills, slot, isCut } = await searchFills(following);
  const filled = fills.reduce((sum, fill) => sum + fill.baseSize, 0n);
  const isWhole = filled >= resting.baseSize;
  const isUnread = isCut && !isWhole && !(await isAllRead(deps, following, { filled, slot }));
  const unread = isUnread ? { reason: "fills_unread", slot } : {};
  const outcome: OrderOutcome =
    filled === 0n
      ? { event: "cancel", reason: "cancelled", ...unread }
      : { event: isWhole ? "fill" : "fill_partly", fills, slot: lastSlot(fills), ...unread };
  if (!(await recordOutcome(deps, order, agent, turn, outcome))) return "lost";
  return filled === 0n && !isUnread ? "failed" : "traded";
}

/**
 * Returns whether the fills that were read explain the position: then the logs that were cut, which anybody can have
 * name our account, held none of them.
 */
async function isAllRead(
  deps: TradingDeps,
  { order, resting, account, venue }: Following,
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
  place: { chain },
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
