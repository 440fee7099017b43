import { type AgentId, parseOrderId } from "../../../domain/ids.ts";
import type { RiskLedger } from "../../../domain/risk-ledger.ts";
import type { Venue } from "../../../venues/ports.ts";
import { scalesOf } from "../../../venues/profiles.ts";
import type { VenueAccount } from "../../../venues/venue.ts";
import { toVenueAccount } from "../../custody/account/venue-account.ts";
import type { Recent } from "../../custody/account/recent.ts";
import { type NetworkRuntime, type Networks, findVenue, inClass } from "../../networks.ts";
import { type AgentRecord, findAgent } from "../../store/agents/agents.ts";
import type { Change, FollowUp, PlannedOrder } from "../../store/orders/change.ts";
import type { ExitRecord } from "../../store/orders/exits.ts";
import type { NewOrder, OpenOrder } from "../../store/orders/orders.ts";
import type { PlanRow } from "../../store/orders/plan-positions.ts";
import type { AccountState } from "../../../domain/position.ts";
import type { Db } from "../../store/postgres/db.ts";
import type { HoldingRecord, ReportedDifference } from "../../store/reconcile/recorded-holding.ts";
import type { Address } from "@solana/kit";
import type { Pool } from "pg";
import type { Clock } from "../../../domain/clock.ts";
import type { Plan } from "../../../domain/plan/plan.ts";
import type { TradingState } from "../../../domain/trading-state.ts";
import type { TradingKeySigner } from "../../custody/account/trading-key-signer.ts";
import type { AgentShares } from "../../pacing/agent-shares.ts";
import type { StalePublisher } from "../../stale-publisher.ts";
import type { Settlements } from "./settlements.ts";

/** An agent with the chain and venue it trades on. */
export interface TradingAgent {
  readonly record: AgentRecord;
  /** Null where this deployment does not enable the agent's network or venue. */
  readonly runtime:
    | (Pick<NetworkRuntime, "chain" | "priorityFee" | "requestsPerSecond" | "witnesses"> & {
        readonly venue: Venue;
      })
    | null;
  /** Null before the first deposit. */
  readonly account: VenueAccount | null;
}

/** An agent that has an account at a venue. */
export type ReadyAgent = {
  readonly [K in keyof TradingAgent]: NonNullable<TradingAgent[K]>;
};

/** An order in its agent's lane, with all that its stages need. */
export interface OrderContext {
  readonly deps: TradingDeps;
  readonly agent: TradingAgent;
  readonly order: OpenOrder;
  /** Risk figures left by the agent's earlier orders. */
  readonly ledger: RiskLedger;
  /** The exit the order is an attempt of. */
  readonly exit: ExitRecord | null;
  /** The position that the agent's plan speaks of. */
  readonly plan: PlanRow | null;
  /** The transaction for the order that rests, while its outcome is unknown. */
  readonly followUp: FollowUp | null;
  /** Whether the stop of an entry that rests was placed, or cannot be before it has filled. */
  readonly isStopTried?: boolean;
}

/** Something at the venue that a lane waits for. `look` asks the chain, takes no place and stores nothing. */
export interface Watched {
  readonly look: () => Promise<Step>;
}

/** `waiting`: an open order or exit depends on time. `taken`: another worker holds the lane. */
export type StepsEnd = "empty" | "waiting" | "taken" | Watched;

/** A lane that stays held while it waits for something at the venue. */
export interface KeptLane {
  /** Returns whether it went on. */
  look(): Promise<boolean>;
  /** Takes the lane's next turn. */
  goOn(): Promise<LaneEnd>;
}

export type LaneEnd = Exclude<StepsEnd, Watched> | KeptLane;

/** What a stage found: what is to be stored, and what is done once it is. */
export interface Step {
  readonly change: Change | null;
  readonly afterwards?: () => void | Promise<void>;
  /** `moved`: the lane's next work. */
  readonly next: StepsEnd | "moved" | (() => Promise<Step>);
}

/** A step that stores nothing. */
export const stepTo = (next: Step["next"]): Step => ({ change: null, next });

export async function findTradingAgent(
  deps: { readonly db: Db; readonly networks: Networks },
  agentId: AgentId,
): Promise<TradingAgent | null> {
  const record = await findAgent(deps.db, agentId);
  return record === null ? null : toTradingAgent(deps.networks, record);
}

/** Returns the agent with what closes its positions: requests go before all others. */
export const toUrgentAgent = (networks: Networks, record: AgentRecord): TradingAgent =>
  toTradingAgent(inClass(networks, "exit"), record);

export function toTradingAgent(networks: Networks, record: AgentRecord): TradingAgent {
  const runtime = networks.get(record.network);
  const venue = findVenue(networks, record);
  return {
    record,
    runtime: runtime === undefined || venue === undefined ? null : { ...runtime, venue },
    account: record.subAccountId === null ? null : toVenueAccount(record),
  };
}

/** Dependencies of the stages between a planned order and its trade log entry. */
export interface TradingDeps {
  readonly db: Db;
  /** Connection pool for the lanes' frequent statements, which find rows by key. */
  readonly lanes: Pool;
  readonly networks: Networks;
  readonly signer: TradingKeySigner;
  /** Fee payers before the present one, whose transactions are ours, too. */
  readonly formerFeePayers?: readonly Address[];
  readonly clock: Clock;
  readonly newId: () => string;
  readonly publisher: StalePublisher;
  /** Returns what trading the deployment allows; read before every order, so that a switch takes effect at once. */
  readonly tradingState: () => TradingState;
  /** Returns why the agent's custody on chain differs from its set-up, or null when it does not; for an exit before others. */
  readonly custodyCheck: (agentId: AgentId, isExit: boolean) => Promise<string | null>;
  readonly settlements: Settlements;
  /** Books what keepers filled before an account is doubted; absent: nothing. */
  readonly bookUpkeep?: (
    deps: Pick<TradingDeps, "db" | "clock">,
    agent: ReadyAgent,
    recorded: HoldingRecord,
    seen: AccountState,
  ) => Promise<boolean>;
  /** Which agents' entries are this server's where several trade; absent: all. */
  readonly shares?: AgentShares;
  /** Returns the ATR at a position's entry, by length; a length without its bars is absent. */
  readonly entryAtr: (
    agent: AgentRecord,
    plan: Plan,
    atMs: number,
  ) => Promise<ReadonlyMap<number, bigint>>;
  readonly log: TradingLog;
}

/** Dependencies of what plans orders and signs none. */
export type PlanningDeps = Pick<
  TradingDeps,
  "db" | "networks" | "clock" | "newId" | "publisher" | "log"
> & {
  /** What an only node told a process that may not write it down; absent where it is stored with the lane. */
  readonly toldByNode?: Recent<AgentId, ReportedDifference>;
};

/** The logger methods used by trading. `debug` gets one line per stage of an order, with ids only. */
export interface TradingLog {
  debug(detail: object, message: string): void;
  warn(detail: object, message: string): void;
  error(detail: object, message: string): void;
}

/** Returns an order that follows from what happened before, not from an alert itself, with its trade log entry. */
export function planOrder(
  { newId }: Pick<TradingDeps, "newId">,
  { id: agentId, chatId, venue }: Pick<AgentRecord, "id" | "chatId" | "venue">,
  planned: Omit<NewOrder, "id" | "agentId" | "deniedFor"> & { readonly marketId: string },
  { percentage, ruleId = null }: { readonly percentage: number; readonly ruleId?: string | null },
): PlannedOrder {
  const { marketId, plannedAtMs: atMs, eventId, signal } = planned;
  const id = parseOrderId(newId());
  const shared = { agentId, eventId, signal };
  return {
    order: { ...planned, id, agentId, deniedFor: null },
    entry: {
      ...shared,
      id: newId(),
      chatId,
      orderId: id,
      ruleId,
      market: marketId,
      status: "pending",
      reason: null,
      percentage,
      ...scalesOf(venue, marketId),
      atMs,
    },
  };
}
