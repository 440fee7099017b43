import { formatDecimal } from "../../../domain/amount.ts";
import { displayDecimal } from "../../lib/format.ts";

/**
 * Returns what to say beside a sum of which the shown parts add up to something else, because each is rounded by itself;
 * null where they agree.
 */
export function sumNote(parts: readonly string[], sum: string, decimals = 2): string | null {
  const unitsOf = (text: string) =>
    BigInt(displayDecimal(text, decimals).replace(/[,.]/g, "").replace("−", "-"));
  const shown = parts.reduce((total, part) => total + unitsOf(part), 0n);
  if (shown === unitsOf(sum)) return null;
  const text = displayDecimal(formatDecimal(shown, decimals), decimals);
  return `Each figure is rounded by itself: as shown they add up to ${text}.`;
}
