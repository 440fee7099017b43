/** One comparison's figures on the bar that fired and, where they matter, on the bar before. */
export interface ComparedFigures {
  /** In plain words, for instance "RSI 14 crosses above 30". */
  readonly text: string;
  readonly left: number;
  readonly right: number | null;
  readonly leftBefore: number | null;
  readonly rightBefore: number | null;
}

/** A condition that held when a bar closed. */
export interface ConditionFiring {
  /** The alert's id on the server, its name where there is none yet. */
  readonly alertKey: string;
  /** Close of the bar, Unix milliseconds; with the alert it makes the firing's identity. */
  readonly closedAtMs: number;
  /** The bar's close price. */
  readonly price: number;
  /** Empty for schedules. */
  readonly compared: readonly ComparedFigures[];
}

/** The agent's open position as the evaluator needs it. */
export interface PositionFacts {
  readonly side: "long" | "short";
  readonly entryPrice: number;
  /** Close of the first bar that ended after the entry, Unix milliseconds. */
  readonly enteredAtMs: number;
  /** Best close from that bar up to the first one the evaluator is handed; left out where it is handed them all. */
  readonly bestCloseBefore?: number | undefined;
}
