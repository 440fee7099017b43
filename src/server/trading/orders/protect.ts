import type { Signature } from "@solana/kit";
import { protectiveLimitBps } from "../../../domain/exit.ts";
import type { ProtectiveExit } from "../../../domain/plan/demand.ts";
import type { PlanEnd } from "../../../domain/plan/plan.ts";
import { signedSize } from "../../../domain/account-difference.ts";
import type { AccountState } from "../../../domain/position.ts";
import {
  type Chain,
  ChainUnavailableError,
  type TransactionOutcome,
  readOutcome,
} from "../../../solana/chain.ts";
import { listSignatures } from "../../../solana/list-signatures.ts";
import { askSignature } from "../../../solana/settle-signature.ts";
import type { OrderTransaction, RestingProtective } from "../../../venues/placed-order.ts";
import type { TradingPort, Venue } from "../../../venues/ports.ts";
import { findMarket } from "../../../venues/profiles.ts";
import { SigningRefusedError } from "../../custody/account/trading-key-signer.ts";
import { isLogged } from "../../store/custody/custody-notices.ts";
import type { RestedOrder } from "../../store/orders/change.ts";
import {
  type KeptPosition,
  NO_PROTECTION,
  type PlanRow,
  type Protection,
  type SentProtection,
} from "../../store/orders/plan-positions.ts";
import { planExitOrders } from "./exits.ts";
import { type ReadyAgent, stepTo, type TradingDeps, type Watched } from "./order-context.ts";
import { sendQuietly, signOrder } from "./sign-order.ts";

/** A triggered order that is not filled after this time is cancelled, in milliseconds: an exit goes on without its limit. */
const TRIGGERED_LIFE_MS = 60_000;

/** What was found of the orders that rest for a position, and what is to be done about them. */
export interface Protected {
  readonly protection: Protection;
  /** A change is under way: the lane looks again once it is decided. */
  readonly watched?: Watched;
  /** Sends a change that was signed, once it is stored. */
  readonly send?: () => Promise<unknown>;
  readonly feeLamports?: bigint;
  /** A stop that was triggered. */
  readonly rested?: RestedOrder;
  /** Something did not answer or was refused: the lane looks again soon. */
  readonly hasFailed?: true;
}

/** A venue that keeps orders until a price is reached. */
type KeepingVenue = Venue &
  Required<Pick<TradingPort, "protectiveOrders" | "buildProtective" | "protectiveActs">>;

/** Returns the venue where it keeps protective orders itself; null where the server watches the prices. */
const keepingVenue = (venue: Venue): KeepingVenue | null =>
  venue.buildProtective === undefined ? null : (venue as KeepingVenue);

interface Asked {
  readonly deps: TradingDeps;
  readonly ready: ReadyAgent;
  readonly venue: KeepingVenue;
  readonly row: PlanRow;
  readonly marketId: string;
  /** The account as it was read before what rests is. */
  readonly state: AccountState;
  /** Null where nothing is to rest. */
  readonly stop: ProtectiveExit | null;
}

/**
 * Makes what rests at the venue the stop that the plan asks for: places, moves, resizes or cancels it, or follows it once
 * somebody triggered it. Null where the venue keeps none.
 *
 * One change at a time is under way, stored before it is sent. Whatever fails leaves what rests as it is, and the prices
 * go on being watched.
 */
export async function protect(
  deps: TradingDeps,
  ready: ReadyAgent,
  row: PlanRow,
  { state, stop }: { readonly state: AccountState; readonly stop: ProtectiveExit | null },
): Promise<Protected | null> {
  const venue = keepingVenue(ready.runtime.venue);
  if (venue === null) return null;
  const marketId = row.position?.marketId ?? ready.record.marketId;
  const asked: Asked = { deps, ready, venue, row, marketId, state, stop };
  const { protection } = row;
  try {
    return await change(asked);
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) {
      const isRefusal = error instanceof SigningRefusedError;
      const detail = { err: error, agentId: ready.record.id };
      deps.log[isRefusal ? "debug" : "error"](detail, "stop not placed");
    }
    // Of a node that does not answer nothing is known
    const isAway = error instanceof ChainUnavailableError;
    const missingSinceMs = missingSince(asked, isAway ? protection.restsAt : null);
    return { protection: { ...protection, missingSinceMs }, hasFailed: true };
  }
}

/**
 * Signs the stop of an entry that waits out its auction, so that it rests before there is a position. Null where it cannot
 * be placed now: it follows the fill, as one whose change failed.
 */
export async function protectEntry(
  deps: TradingDeps,
  ready: ReadyAgent,
  row: PlanRow,
  stop: ProtectiveExit,
): Promise<Protected | null> {
  const venue = keepingVenue(ready.runtime.venue);
  if (venue === null || deps.tradingState() === "halted") return null;
  const built = await venue.buildProtective(ready.account, {
    marketId: ready.record.marketId,
    exits: [stop],
    limitBps: protectiveLimitBps(ready.record.slippageBps),
  });
  if (built === null) return null;
  const found = await signChange({ deps, ready, stop, row }, built, NO_PROTECTION);
  return found.hasFailed === true ? null : found;
}

const NOT_SEEN = "The node has not seen the protective orders yet";

async function change(asked: Asked): Promise<Protected> {
  const { deps, ready, venue, row, marketId, state, stop } = asked;
  const { chain } = ready.runtime;
  const { sent } = row.protection;
  let { landed, replaced } = row.protection;
  if (sent !== null) {
    const end = await endOf(chain, sent);
    if (end === null) return { protection: row.protection, watched: watchOf(chain, sent) };
    if (end === "refused") {
      // Not tried again at once: what the exchange refuses it would refuse again
      const missingSinceMs = missingSince(asked, null);
      return { protection: { ...row.protection, sent: null, missingSinceMs }, hasFailed: true };
    }
    if (end !== "expired") {
      if (state.slot < end.slot) throw new ChainUnavailableError(NOT_SEEN);
      const rested = await findReplaced(asked, [landed, replaced]);
      if (rested !== null) {
        return {
          protection: { ...row.protection, sent: null, landed: sent, replaced: null },
          rested,
        };
      }
      [landed, replaced] = [sent, landed];
    }
  }
  const rests = (await venue.protectiveOrders(ready.account)).find(
    (order) => order.isOurs && order.marketId === marketId && order.key === "stop",
  );
  if (rests === undefined && landed !== null && landed.stop !== null) {
    const end = await endOf(chain, landed);
    if (end === null) {
      // A block that was undone took it along: it can land again
      const protection = { ...row.protection, sent: landed, landed: replaced, replaced: null };
      return { protection, watched: watchOf(chain, landed) };
    }
    if (end === "expired") [landed, replaced] = [replaced, null];
  }
  const rested = await findTriggered(asked, landed, rests);
  if (rested !== null) return { protection: NO_PROTECTION, rested };
  const now = {
    sent: null,
    landed,
    replaced,
    restsAt: rests?.triggerPrice ?? null,
    restsBase: rests?.baseSize ?? null,
  };
  if (deps.tradingState() === "halted") {
    return { protection: { ...now, missingSinceMs: missingSince(asked, now.restsAt) } };
  }
  const built = await venue.buildProtective(ready.account, {
    marketId,
    exits: stop === null ? [] : [stop],
    limitBps: protectiveLimitBps(ready.record.slippageBps),
  });
  if (built === null) {
    return { protection: { ...now, missingSinceMs: missingSince(asked, now.restsAt) } };
  }
  return signChange(asked, built, now);
}

/** Returns since when a stop is wanted and does not rest; null where none is wanted or one rests. */
const missingSince = (
  { deps, row, stop }: Pick<Asked, "deps" | "row" | "stop">,
  restsAt: bigint | null,
): number | null =>
  stop === null || restsAt !== null ? null : (row.protection.missingSinceMs ?? deps.clock.now());

/** Returns how a change ended, with the slot in which it landed; null while it can still land. */
async function endOf(
  chain: Chain,
  sent: SentProtection,
): Promise<{ readonly slot: bigint } | "refused" | "expired" | null> {
  const signature = sent.signature as Signature;
  const answer = await askSignature(chain, { ...sent, signature });
  if (answer.kind === "expired") return "expired";
  if (answer.kind === "landed") return answer.status.error === null ? answer.status : "refused";
  await sendQuietly(chain, sent);
  return null;
}

const watchOf = (chain: Chain, sent: SentProtection): Watched => ({
  look: async () => stepTo((await endOf(chain, sent)) === null ? watchOf(chain, sent) : "moved"),
});

async function signChange(
  { deps, ready, stop, row }: Pick<Asked, "deps" | "ready" | "stop" | "row">,
  built: OrderTransaction,
  now: Omit<Protection, "missingSinceMs">,
): Promise<Protected> {
  const { record, runtime, account } = ready;
  const { signed, simulation, feeLamports } = await signOrder(
    deps,
    {
      agentId: record.id,
      purpose: "protective",
      account,
      isUrgent: true,
      runtime,
      feeFactor: 1n,
      isTried: true,
    },
    built,
  );
  // The same bytes have landed: asking for them again would end only with the slot
  if (signed.signature === now.landed?.signature) throw new ChainUnavailableError(NOT_SEEN);
  // What rests is another stop, or none, until this has landed
  const missingSinceMs = missingSince({ deps, row, stop }, null);
  if (simulation?.error?.kind === "instruction") {
    const { error } = simulation;
    deps.log.debug({ agentId: record.id, error }, "stop refused by the venue");
    return { protection: { ...now, missingSinceMs }, hasFailed: true };
  }
  const sent: SentProtection = {
    ...signed,
    submittedAtMs: deps.clock.now(),
    stop:
      stop === null
        ? null
        : {
            by: stop.reason as PlanEnd,
            baseSize: stop.baseSize,
            price: stop.triggerPrice,
            side: stop.side,
          },
  };
  return {
    protection: { ...now, sent, missingSinceMs },
    watched: watchOf(runtime.chain, sent),
    send: () => sendQuietly(runtime.chain, sent),
    feeLamports,
  };
}

/**
 * Returns the stop as an order to follow where somebody triggered it: it fills now, or has filled and is gone. One that
 * is gone and has filled nothing was taken away by somebody else; the position's size does not tell, because an add may
 * have filled beside it.
 */
async function findTriggered(
  asked: Asked,
  landed: SentProtection | null,
  rests: RestingProtective | undefined,
): Promise<RestedOrder | null> {
  const { ready, venue, row, state } = asked;
  const { account, runtime } = ready;
  const stop = landed?.stop ?? null;
  const position = row.position ?? enteredBeside(asked, stop);
  if (landed === null || stop === null || position === null) return null;
  const held = state.positions.find(({ marketId }) => marketId === position.marketId);
  if (rests?.isTriggered === false) return null;
  return runtime.chain.withOneNode(async (node) => {
    const placed = await readOutcome(node, landed.signature as Signature);
    if (placed === null || placed === "unreadable") {
      throw new ChainUnavailableError("The node does not know the stop");
    }
    const act = venue
      .protectiveActs(account, placed)
      .find((each) => each.kind === "placed" && each.key === "stop");
    if (act === undefined || (rests !== undefined && rests.venueOrderId !== act.venueOrderId)) {
      return null;
    }
    const { venueOrderId } = act;
    // The exchange cuts it to what is held
    const total =
      rests === undefined
        ? await filledBase(asked, node, landed, venueOrderId)
        : stop.baseSize - rests.baseSize + smaller(rests.baseSize, held?.baseSize ?? 0n);
    if (total === 0n) return null;
    return restedOrder(asked, position, { ...stop, baseSize: total }, landed, placed, venueOrderId);
  });
}

/**
 * Returns the stop that a change has just replaced or taken away as an order to follow, where it filled before that; a
 * later one of the two may never have landed, where its block was undone. They are searched for only where the log does
 * not come to what is held.
 */
async function findReplaced(
  asked: Asked,
  replaced: readonly (SentProtection | null)[],
): Promise<RestedOrder | null> {
  const { deps, ready, marketId, state } = asked;
  const held = state.positions.find((position) => position.marketId === marketId);
  const base = held === undefined ? 0n : signedSize(held);
  const stops = replaced.filter((each) => each !== null);
  if (stops.length === 0 || (await isLogged(deps.db, ready.record.id, marketId, base))) return null;
  for (const stop of stops) {
    const signature = stop.signature as Signature;
    const { kind } = await askSignature(ready.runtime.chain, { ...stop, signature });
    const found = kind === "landed" ? await findTriggered(asked, stop, undefined) : null;
    if (found !== null) return found;
  }
  return null;
}

type StoppedPosition = Pick<KeptPosition, "marketId" | "side" | "baseSize">;

/** Returns the position of an entry whose stop rested before anybody saw it; null for none. */
const enteredBeside = ({ marketId }: Asked, stop: SentProtection["stop"]): StoppedPosition | null =>
  stop?.side === undefined
    ? null
    : { marketId, side: stop.side === "long" ? "short" : "long", baseSize: stop.baseSize };

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Returns the base units that transactions since filled of the order. */
async function filledBase(
  { ready, venue, state }: Asked,
  node: Chain,
  landed: SentProtection,
  venueOrderId: string,
): Promise<bigint> {
  const { account: address } = await venue.readCustody(ready.account);
  if (address === null) return 0n;
  const sinceSlot = landed.blockhashSlot ?? 0n;
  const signatures = await listSignatures(node, address, { minSlot: state.slot, sinceSlot });
  const outcomes = await Promise.all(signatures.map((signature) => readOutcome(node, signature)));
  return outcomes
    .flatMap((outcome) =>
      outcome === null || outcome === "unreadable"
        ? []
        : venue.protectiveActs(ready.account, outcome),
    )
    .reduce(
      (sum, act) =>
        act.kind === "filled" && act.venueOrderId === venueOrderId ? sum + act.fill.baseSize : sum,
      0n,
    );
}

function restedOrder(
  { deps, ready: { record, runtime } }: Asked,
  { marketId, side }: StoppedPosition,
  stop: NonNullable<SentProtection["stop"]>,
  sent: SentProtection,
  { slot: placedSlot }: TransactionOutcome,
  venueOrderId: string,
): RestedOrder | null {
  const market = findMarket(runtime.venue.id, marketId);
  if (market === undefined) return null;
  const exit = { id: deps.newId(), marketId, side, part: null, planEnd: stop.by };
  const [planned] = planExitOrders(deps, { record }, [exit]);
  if (planned === undefined) return null;
  const { order, entry } = planned;
  const { baseSize, price } = stop;
  return {
    order: { ...order, exitId: null },
    entry: { ...entry, reason: "resting" },
    intent: {
      orderId: order.id,
      agentId: record.id,
      signal: order.signal,
      market,
      side: side === "long" ? "short" : "long",
      reduceOnly: true,
      baseSize,
      referencePrice: price,
      slippageBps: protectiveLimitBps(record.slippageBps),
      percentage: 100,
    },
    sent,
    resting: {
      venueOrderId,
      marketId,
      baseSize,
      placedSlot,
      expiresAtMs: order.plannedAtMs + TRIGGERED_LIFE_MS,
    },
  };
}
