import type { Generated } from "kysely";

type Timestamp = Date;

export interface ChatTable {
  id: string;
  owner: string;
  title: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface MessageTable {
  chat_id: string;
  id: string;
  type: "user" | "ai";
  content: string;
  sent_at: Timestamp;
  seq: Generated<string>;
}

export interface HypothesisTable {
  id: string;
  trade_log_id: string;
  agent_id: string;
  chat_id: string;
  text: string;
  created_at: Timestamp;
}
