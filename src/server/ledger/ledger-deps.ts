import type { Address } from "@solana/kit";
import type { Clock } from "../../domain/clock.ts";
import type { Networks } from "../networks.ts";
import type { StalePublisher } from "../stale-publisher.ts";
import type { Db } from "../store/postgres/db.ts";

/** Dependencies of reading ledgers. */
export interface LedgerDeps {
  readonly db: Db;
  readonly networks: Networks;
  readonly clock: Clock;
  readonly publisher: StalePublisher;
  /** Addresses whose fees the platform pays, former ones included. */
  readonly feePayers: readonly Address[];
  readonly log: { warn(detail: object, message: string): void };
}
