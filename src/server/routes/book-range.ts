import { AppError } from "../../contract/errors.ts";
import type { LedgerRange } from "../store/ledger/ledger.ts";

const EARLIEST_MS = Date.UTC(2020, 0, 1);
const LATEST_MS = Date.UTC(2100, 0, 1);

/**
 * Returns the times a call asks for; throws `validation_failed` for a range that is empty, reversed or outside of the
 * supported years.
 */
export function rangeOf({
  from,
  to,
}: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}): LedgerRange {
  const fromMs = from === undefined ? EARLIEST_MS : Date.parse(from);
  const toMs = to === undefined ? LATEST_MS : Date.parse(to);
  const fields: Record<string, string> = {};
  const isOfThisAge = (ms: number) => ms >= EARLIEST_MS && ms <= LATEST_MS;
  if (!isOfThisAge(fromMs)) fields["from"] = OUT_OF_AGE;
  if (!isOfThisAge(toMs)) fields["to"] = OUT_OF_AGE;
  if (Object.keys(fields).length === 0 && fromMs >= toMs) fields["from"] = "Must be before `to`.";
  if (Object.keys(fields).length > 0) throw new AppError("validation_failed", { fields });
  return { fromMs, toMs };
}

const OUT_OF_AGE = "Must be between the years 2020 and 2100.";
