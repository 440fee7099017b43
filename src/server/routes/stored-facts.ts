import type { DecisionFacts } from "../store/orders/decisions.ts";

/** Facts after a round trip through JSON: amounts are text. */
type Jsonb<T> = T extends bigint
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Jsonb<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Jsonb<T[K]> }
      : T;

export type StoredFacts = Jsonb<DecisionFacts>;

/** Returns the content of `decisions.facts`; null for an order without a recorded decision. */
export const toStoredFacts = (stored: unknown): StoredFacts | null => stored as StoredFacts | null;
