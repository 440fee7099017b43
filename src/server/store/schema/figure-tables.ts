import type { Generated } from "kysely";
import type { KeyState } from "../../../domain/agent-health.ts";
import type { Network } from "../../../domain/network.ts";

type Timestamp = Date;

export interface AgentLookTable {
  agent_id: string;
  network: Network;
  done_at: Timestamp | null;
  failing_since: Timestamp | null;
  key_state: KeyState | null;
  /** Why the chain or the venue did not answer; null while it does. */
  reason: string | null;
}

export interface ReconcileRoundTable {
  network: Network;
  done_at: Timestamp | null;
  agents: Generated<number>;
  failing_since: Timestamp | null;
  failed: Generated<number>;
  reason: string | null;
}

export interface FeedTroubleTable {
  feed: string;
  text: string;
  since: Timestamp;
}

export interface ProcessFiguresTable {
  worker: string;
  at: Timestamp;
  seen_at: Generated<Timestamp>;
  figures: unknown;
}
