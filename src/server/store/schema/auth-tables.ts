import type { Generated } from "kysely";

type Timestamp = Date;

export interface UsedNonceTable {
  nonce: string;
  expires_at: Timestamp;
}

export interface SessionTable {
  id: string;
  wallet: string;
  created_at: Timestamp;
  last_used_at: Timestamp;
  expires_at: Timestamp;
  revoked_at: Timestamp | null;
  confirmed_at: Timestamp | null;
  browser: Generated<string>;
}

export interface RefreshTokenTable {
  token_hash: string;
  session_id: string;
  created_at: Timestamp;
  replaced_at: Timestamp | null;
  replaced_by_hash: string | null;
}

export interface ReadTokenTable {
  id: string;
  wallet: string;
  name: string;
  token_hash: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  last_used_at: Timestamp | null;
  revoked_at: Timestamp | null;
}
