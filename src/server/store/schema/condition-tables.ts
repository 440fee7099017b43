type Timestamp = Date;

export interface CandleBlockTable {
  source: string;
  symbol: string;
  base_minutes: number;
  block: number;
  bars: Buffer;
  known_until: Timestamp;
  read_at: Timestamp;
}

export interface ConditionProgressTable {
  agent_id: string;
  evaluated_to: Timestamp;
}
