import type { Agent } from "../../../contract/agent.ts";
import type { SentOwnerLimits } from "../../../contract/owner-limit-fields.ts";
import { formatDecimal, parseDecimal, toSafeNumber } from "../../../domain/amount.ts";
import {
  OWNER_LIMIT_NAMES,
  OWNER_LIMIT_RANGES,
  type OwnerLimits,
} from "../../../domain/owner-limits.ts";

export type LimitName = keyof OwnerLimits;

/** Values of the form's fields; an empty one sets no limit. Shares are in percent. */
export type LimitForm = Readonly<Record<LimitName, string>>;

export const isShare = (name: LimitName): boolean => name.endsWith("Bps");

const placesOf = (name: LimitName): number => (isShare(name) ? 2 : 0);

/** Returns the form's fields for an agent's limits. */
export const formOf = (limits: Agent["limits"]): LimitForm =>
  Object.fromEntries(
    OWNER_LIMIT_NAMES.map((name) => {
      const limit = limits?.[name];
      return [name, limit === undefined ? "" : formatDecimal(BigInt(limit), placesOf(name))];
    }),
  ) as LimitForm;

export type ReadLimits =
  | { readonly ok: true; readonly limits: SentOwnerLimits }
  | { readonly ok: false; readonly name: LimitName; readonly words: string };

/** Parses the fields; names the first one that is out of range. */
export function readForm(form: LimitForm): ReadLimits {
  const limits: Partial<Record<LimitName, number>> = {};
  for (const name of OWNER_LIMIT_NAMES) {
    const text = form[name].trim();
    if (text === "") continue;
    const units = parseDecimal(text, placesOf(name));
    const { least, most } = OWNER_LIMIT_RANGES[name];
    if (units === null || units < BigInt(least) || units > BigInt(most)) {
      const unit = isShare(name) ? "%" : "";
      const [from, to] = [least, most].map((edge) => formatDecimal(BigInt(edge), placesOf(name)));
      return {
        ok: false,
        name,
        words: `From ${from}${unit} to ${to}${unit}, or empty for no limit.`,
      };
    }
    limits[name] = toSafeNumber(units);
  }
  return { ok: true, limits };
}
