/** Figures of one comparison on the bar that fired and, where they matter, on the bar before. */
export interface ComparedFigures {
  /** The comparison in words, for instance "RSI 14 crosses above 30". */
  readonly text: string;
  readonly left: number;
  readonly right: number | null;
  readonly leftBefore: number | null;
  readonly rightBefore: number | null;
}

/** A condition that held when a bar closed. */
export interface ConditionFiring {
  /** The alert's id on the server, or its name before it has one. */
  readonly alertKey: string;
  /** Close time of the bar, Unix milliseconds; together with the alert it identifies the firing. */
  readonly closedAtMs: number;
  /** Close price of the bar. */
  readonly price: number;
  /** Empty for schedules. */
  readonly compared: readonly ComparedFigures[];
}

/** The agent's open position as the evaluator needs it. */
export interface PositionFacts {
  readonly side: "long" | "short";
  readonly entryPrice: number;
  /** Close time of the first bar that closed after the entry, Unix milliseconds. */
  readonly enteredAtMs: number;
  /** Best close from that bar until the first bar the evaluator receives; absent where it receives them all. */
  readonly bestCloseBefore?: number | undefined;
}
