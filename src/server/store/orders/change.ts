import type { DenialReason } from "../../../domain/reasons.ts";
import type { ExitPart } from "../../../domain/exit.ts";
import type { AgentId, OrderId } from "../../../domain/ids.ts";
import type { PendingEntry } from "../../../domain/ledger/entry.ts";
import type { Fill, OrderIntent } from "../../../domain/order/order.ts";
import type { OrderEvent, TradeSide } from "../../../domain/order/order-states.ts";
import type { RiskLedger } from "../../../domain/risk-ledger.ts";
import type { RestingOrder } from "../../../venues/placed-order.ts";
import type { NewTradeLogEntry } from "../trade-log/trade-log-writes.ts";
import type { DecisionFacts } from "./decisions.ts";
import type { ExitRecord } from "./exits.ts";
import type { NewOrder, SentOrder } from "./orders.ts";
import type { KeptPosition, Protection } from "./plan-positions.ts";

/**
 * All that one step of an agent's lane writes: it is stored whole or not at all. An absent part changes nothing.
 */
export interface Change {
  readonly atMs: number;
  readonly order?: OrderStep;
  /** Columns of the order's trade log entry besides status, reason and time, which follow from its event. */
  readonly line?: LineColumns;
  /** Oldest first. */
  readonly fills?: readonly BookedFill[];
  /** Entries of the fills, until the book has them from the chain. */
  readonly pending?: readonly PendingEntry[];
  /** Newest slot in which a transaction of the agent landed. */
  readonly landedSlot?: bigint;
  readonly ledger?: RiskLedger;
  readonly decision?: DecisionFacts;
  /** Fee offered for a transaction, in lamports, counted for the agent's owner. */
  readonly feeLamports?: bigint;
  readonly followUp?: FollowUpStep;
  /** What becomes of the exit the order is an attempt of. */
  readonly exit?: ExitStep;
  /** `requestId`: the owner's request that begins it. */
  readonly begunExits?: readonly (Omit<ExitRecord, "agentId"> & {
    readonly requestId?: string | null;
  })[];
  readonly endedExits?: EndedExits;
  /** New orders with their trade log entries. */
  readonly planned?: readonly PlannedOrder[];
  /** An order that rested at the venue and was triggered there: it is followed from now on. */
  readonly rested?: RestedOrder;
  /** Other planned orders that are not to be placed. */
  readonly denied?: readonly {
    readonly id: OrderId;
    readonly reason: DenialReason;
    /** The open exit that makes the order needless. */
    readonly exitId?: string;
  }[];
  /** Exits of a part that go on until the whole position is closed. */
  readonly widenedExits?: readonly string[];
  /** What becomes of the position that the agent's plan speaks of. */
  readonly plan?: PlanStep;
  /** What is known of the trades after the backup that a lane was restored from; `null`: all of it. */
  readonly restoredHeight?: bigint | null;
  /** The chain tells it again after a crash that forgets it, so that its commit does not wait for the disk. */
  readonly isTold?: boolean;
  /** What the owner's pages have to read again. */
  readonly stale: readonly StalePart[];
}

/** `order`: trade log and signals; `agent`: its trading state. */
export type StalePart = "order" | "position" | "agent" | "custody";

/** An event of the order, or `put_off`: it stays planned as an attempt of the exit. */
export interface OrderStep {
  readonly id: OrderId;
  readonly event: OrderEvent | "put_off";
  readonly reason: string | null;
  /** What is about to be sent; it must not be sent unless it was stored. */
  readonly submitted?: { readonly intent: OrderIntent; readonly sent: SentOrder };
  readonly resting?: RestingOrder;
}

/** Amounts in base and quote units, the price with six decimals. */
export interface LineColumns {
  readonly signature?: string;
  readonly side?: TradeSide;
  readonly percentage?: number;
  readonly baseDecimals?: number;
  readonly quoteDecimals?: number;
  readonly baseSize?: bigint;
  readonly quoteTotal?: bigint;
  readonly price?: bigint;
  readonly fee?: bigint;
}

/** A fill with its transaction, sent by us or by a keeper. */
export interface BookedFill extends Fill {
  readonly signature: string;
  readonly slot: bigint;
}

/** How a follow-up ended; `refused`: the only node that had its bytes dropped them. */
export type FollowUpEnd = "landed" | "expired" | "refused";

/** A follow-up transaction of a resting order: it fills or cancels the order. */
export interface FollowUp {
  readonly purpose: "fill" | "cancel";
  readonly transaction: Uint8Array;
  readonly signature: string;
  readonly lastValidBlockHeight: bigint;
  readonly blockhashSlot: bigint;
  /** Null while it can still land. */
  readonly ended: FollowUpEnd | null;
}

export type FollowUpStep =
  | { readonly kind: "begun"; readonly orderId: OrderId; readonly followUp: FollowUp }
  | { readonly kind: "ended"; readonly signature: string; readonly ended: FollowUpEnd };

export type ExitStep =
  /** The whole requested size was closed. */
  | {
      readonly kind: "tried";
      readonly nextAttemptAtMs: number;
      /** Where the exit closes part of the position. */
      readonly part: ExitPart | null;
    }
  /** Part of the position is left: the exit goes on, or begins with these values. */
  | ({ readonly kind: "tried_again"; readonly nextAttemptAtMs: number } & Pick<
      ExitRecord,
      "id" | "marketId" | "side" | "askedBy" | "limitBps" | "part" | "planEnd"
    >)
  /** The attempt could not be sent: the exit has these values now. */
  | { readonly kind: "put_off"; readonly exit: Omit<ExitRecord, "agentId" | "planEnd"> }
  /** The position could not be read. */
  | ({ readonly kind: "postponed" } & Pick<ExitRecord, "id" | "nextAttemptAtMs" | "lastReason">);

/** Without effect where the row has another version than the one that was read. */
export type PlanStep =
  /** The position may have changed: the lane looks at it next. */
  | {
      readonly kind: "traded";
      readonly as: "entry" | "add" | "exit";
      readonly orderId: OrderId;
    }
  | {
      readonly kind: "looked";
      readonly version: string;
      readonly position: KeptPosition;
      readonly unprotectedSinceMs: number | null;
      /** What rests at the venue; absent: as before. */
      readonly protection?: Protection | undefined;
      /** Since when the position had no stop, where one rests now; told by the entry that was filled then. */
      readonly restedSinceMs?: number | undefined;
      readonly dueAtMs: number;
    }
  /** What rests at the venue changes for a position that the plan speaks of no more. */
  | {
      readonly kind: "protected";
      readonly version: string;
      readonly protection: Protection;
      readonly dueAtMs: number;
    }
  /** The position could not be read. */
  | { readonly kind: "postponed"; readonly dueAtMs: number }
  /** There is none, or its plan is gone. */
  | { readonly kind: "over"; readonly version: string };

export interface EndedExits {
  readonly ids: readonly string[];
  readonly state: "done" | "ended_by_owner";
}

export interface RestedOrder extends PlannedOrder {
  readonly intent: OrderIntent;
  /** The transaction that placed it. */
  readonly sent: SentOrder;
  readonly resting: RestingOrder;
}

export interface PlannedOrder {
  readonly order: NewOrder;
  readonly entry: NewTradeLogEntry;
}

/** A held lane; its fencing number differs from that of every later holder. */
export interface HeldLane {
  readonly agentId: AgentId;
  readonly fence: bigint;
  /** Of what was read of the agent, where its changes stand only with that. */
  readonly version?: bigint;
}
