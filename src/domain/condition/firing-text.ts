import type { AlertCondition } from "./condition.ts";
import { conditionText } from "./condition-text.ts";

/** Returns the words that follow "fires": "when RSI 14 crosses above 30", "every 4 bars", "at 08:00 UTC". */
export function firingText(condition: AlertCondition): string {
  const text = conditionText(condition);
  return condition.kind === "comparisons" ? `when ${text}` : text;
}
