import { parseEventId } from "../../domain/ids.ts";
import type { CountedAlert, DecisionCause } from "../store/orders/decision-cause.ts";
import type { DecisionFacts } from "../store/orders/decisions.ts";
import type { Unparsed } from "../store/postgres/db.ts";

/** Facts after a round trip through JSON: amounts are text. */
type Jsonb<T> = T extends bigint
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Jsonb<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Jsonb<T[K]> }
      : T;

type FactsBesideCause = Jsonb<Omit<DecisionFacts, "cause">>;

interface StoredCause extends Unparsed<Omit<DecisionCause, "alerts">> {
  readonly alerts: readonly Unparsed<CountedAlert>[];
}

export interface StoredFacts extends FactsBesideCause {
  readonly cause: DecisionCause;
}

/** Returns the content of `decisions.facts`; null for an order without a recorded decision. */
export function toStoredFacts(stored: unknown): StoredFacts | null {
  const facts = stored as (FactsBesideCause & { readonly cause: StoredCause }) | null;
  return facts === null ? null : { ...facts, cause: toCause(facts.cause) };
}

const toCause = ({ eventId, ruleId, alerts }: StoredCause): DecisionCause => ({
  eventId: eventId === null ? null : parseEventId(eventId),
  ruleId,
  alerts: alerts.map((alert) => ({ ...alert, eventId: parseEventId(alert.eventId) })),
});
