import type { Address } from "@solana/kit";
import type { Pool } from "pg";
import type { Clock } from "../../../domain/clock.ts";
import type { AgentId } from "../../../domain/ids.ts";
import type { TradingState } from "../../../domain/trading-state.ts";
import type { TradingKeySigner } from "../../custody/account/trading-key-signer.ts";
import type { Networks } from "../../networks.ts";
import type { StalePublisher } from "../../stale-publisher.ts";
import type { Db } from "../../store/postgres/db.ts";
import type { Settlements } from "./settlements.ts";

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
  /** Returns why the agent's custody on chain differs from its set-up, or null when it does not. */
  readonly custodyCheck: (agentId: AgentId) => Promise<string | null>;
  readonly settlements: Settlements;
  readonly log: TradingLog;
}

/** Dependencies of what plans orders and signs none. */
export type PlanningDeps = Pick<
  TradingDeps,
  "db" | "networks" | "clock" | "newId" | "publisher" | "log"
>;

/** The logger methods used by trading. `debug` gets one line per stage of an order, with ids only. */
export interface TradingLog {
  debug(detail: object, message: string): void;
  warn(detail: object, message: string): void;
  error(detail: object, message: string): void;
}
