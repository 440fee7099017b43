import type { OrderState } from "../../../domain/order/order-states.ts";

/** Returns a state as SQL text. */
export const stateLiteral = (state: OrderState): string => `'${state}'`;

/** Returns the states as a list for `in`; state names are spelled only in the domain's table. */
export const stateList = (states: readonly OrderState[]): string =>
  `(${states.map(stateLiteral).join(", ")})`;
