import type { DecisionFacts } from "../store/orders/decisions.ts";

/** Facts as they went through JSON: amounts are text. */
type Jsonb<T> = T extends bigint
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Jsonb<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Jsonb<T[K]> }
      : T;

export type StoredFacts = Jsonb<DecisionFacts>;

/** Returns what `decisions.facts` holds; null for an order that was not decided on yet, or before that was recorded. */
export const toStoredFacts = (stored: unknown): StoredFacts | null => stored as StoredFacts | null;
