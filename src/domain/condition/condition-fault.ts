/** The first thing wrong with a condition. */
export interface ConditionFault {
  /** Path inside the condition, for instance `all.0.left.parameters.1`. */
  readonly field: string;
  /** Explanation for the author of the condition, one sentence. */
  readonly reason: string;
}
