import type { Generated } from "kysely";

type Timestamp = Date;

export interface InstallationTable {
  is_only: Generated<boolean>;
  latest_at: Timestamp;
  identity: unknown;
  trading_state: Generated<string>;
  probed_at: Timestamp | null;
}

export interface FaucetUsesTable {
  seq: Generated<string>;
  wallet: string;
  at: Timestamp;
}

export interface AuditLogTable {
  seq: Generated<string>;
  at: Timestamp;
  wallet: string | null;
  action: string;
  object: string | null;
  detail: unknown;
}
