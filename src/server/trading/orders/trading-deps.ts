import type { Pool } from "pg";
import type { Clock } from "../../../domain/clock.ts";
import type { TradingState } from "../../../domain/trading-state.ts";
import type { DelegateSigner } from "../../custody/account/delegate-signer.ts";
import type { Networks } from "../../networks.ts";
import type { StalePublisher } from "../../stale-publisher.ts";
import type { Db } from "../../store/postgres/db.ts";
import type { Settlements } from "./settlements.ts";

/** What the stages between a planned order and its line in the trade log need. */
export interface TradingDeps {
  readonly db: Db;
  /** Connections for what lanes do all the time: statements that find rows by their keys. */
  readonly lanes: Pool;
  readonly networks: Networks;
  readonly signer: DelegateSigner;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly publisher: StalePublisher;
  /** What the deployment allows; read before every order, so that a switch takes effect at once. */
  readonly tradingState: () => TradingState;
  /** Says why the agent's custody on chain is not what it was set up with, null when it is. */
  readonly custodyCheck: (agentId: string) => Promise<string | null>;
  readonly settlements: Settlements;
  readonly log: TradingLog;
}

/** The part of the logger trading uses. */
export interface TradingLog {
  warn(detail: object, message: string): void;
  error(detail: object, message: string): void;
}
