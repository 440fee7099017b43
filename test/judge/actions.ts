import type { TradingState } from "../../src/domain/trading-state.ts";

/** An alert as a charting platform sends it. */
export interface SentAlert {
  readonly agentId: string;
  readonly alertName: string;
  readonly firedAtMs: number;
}

/** A sent alert with the ids of the events its deliveries were answered with: none before the first answer, then one. */
export interface AnsweredAlert extends SentAlert {
  readonly eventIds: readonly string[];
}

/** A signature of a trading key, with the trading state at that time. */
export interface SignedNote {
  readonly agentId: string;
  readonly purpose: string;
  readonly signature: string;
  readonly tradingState: TradingState;
}

/** What was done to the product and what it answered, noted by whoever did it. */
export interface Actions {
  readonly alerts: readonly AnsweredAlert[];
  /** Times auto-trade was turned on again, which resets the agent's counters: after how many of its accepted events. */
  readonly turnedOn: readonly { readonly agentId: string; readonly afterEvents: number }[];
  /** Agents that their owners deleted. */
  readonly deleted: ReadonlySet<string>;
  /** Everything the trading keys signed; empty where the signer is not watched. */
  readonly signed: readonly SignedNote[];
}

/** Returns the actions of a run in which nothing but alerts was sent. */
export const onlyAlerts = (alerts: readonly AnsweredAlert[]): Actions => ({
  alerts,
  turnedOn: [],
  deleted: new Set(),
  signed: [],
});

export const describeAlert = ({ agentId, alertName, firedAtMs }: SentAlert): string =>
  `alert ${alertName} of ${new Date(firedAtMs).toISOString()} for agent ${agentId}`;
