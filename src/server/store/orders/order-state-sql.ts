import type { OrderState } from "../../../domain/order/order-states.ts";

/** Returns a state as SQL text. */
export const stateLiteral = (state: OrderState): string => `'${state}'`;

/** Returns the states as a list for `in`: a state's name is spelled in the domain's table only. */
export const stateList = (states: readonly OrderState[]): string =>
  `(${states.map(stateLiteral).join(", ")})`;
