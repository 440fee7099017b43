import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isOpenOrderState,
  isOutcomeOverdue,
  OPEN_ORDER_STATES,
  ORDER_EVENTS,
  ORDER_STATES,
  type OrderEvent,
  orderAfter,
  type OrderState,
  SENT_ORDER_STATES,
  stateAfter,
  statesBefore,
  UNKNOWN_AFTER_MS,
  tradeLogStatus,
} from "./order-states.ts";

const histories = fc.array(fc.constantFrom(...ORDER_EVENTS), { maxLength: 12 });

/** Applies events from the initial state; events that are not allowed change nothing. */
function play(events: readonly OrderEvent[]): readonly OrderState[] {
  const states: OrderState[] = ["planned"];
  for (const event of events) {
    const next = orderAfter(states.at(-1) ?? "planned", event);
    if (next !== null) states.push(next);
  }
  return states;
}

describe("the states of an order", () => {
  it("can all be reached from planned", () => {
    const reached = new Set<OrderState>(["planned"]);
    for (const state of reached) {
      for (const event of ORDER_EVENTS) {
        const next = orderAfter(state, event);
        if (next !== null) reached.add(next);
      }
    }
    expect([...reached].toSorted()).toEqual([...ORDER_STATES].toSorted());
  });

  it("lead to the same state on the same event, so that writers need no special case", () => {
    for (const event of ORDER_EVENTS) {
      const targets = new Set(statesBefore(event).map((state) => orderAfter(state, event)));
      expect([...targets], event).toEqual([stateAfter(event)]);
    }
  });

  it("never leave filled and never revive a denied order", () => {
    fc.assert(
      fc.property(histories, (events) => {
        const states = play(events);
        const filled = states.indexOf("filled");
        expect(filled === -1 || filled === states.length - 1).toBe(true);
        expect(states.indexOf("denied")).toBeLessThanOrEqual(1);
      }),
      { seed: 8, numRuns: 1_000 },
    );
  });

  it("send no order twice and sign no abandoned order", () => {
    fc.assert(
      fc.property(histories, (events) => {
        const states = play(events);
        expect(states.filter((state) => state === "submitted").length).toBeLessThanOrEqual(1);
        // A sent order never returns to the state before sending
        expect(states.lastIndexOf("planned")).toBe(0);
      }),
      { seed: 8, numRuns: 1_000 },
    );
  });

  it("follow the chain whatever was concluded before, except for orders never sent", () => {
    for (const state of ORDER_STATES) {
      const canBeFilled = orderAfter(state, "fill") === "filled";
      expect([state, canBeFilled]).toEqual([
        state,
        !["planned", "denied", "filled"].includes(state),
      ]);
    }
    expect(orderAfter("expired", "fill")).toBe("filled");
    expect(orderAfter("rejected", "fill")).toBe("filled");
  });

  it("count as open as long as the lane must act on them", () => {
    expect(OPEN_ORDER_STATES).toEqual(["planned", "submitted", "unknown", "resting"]);
    expect(SENT_ORDER_STATES).toEqual(["submitted", "unknown", "resting"]);
    for (const state of OPEN_ORDER_STATES) {
      expect(ORDER_EVENTS.some((event) => orderAfter(state, event) !== null)).toBe(true);
    }
  });

  it("have one next state for each event, and an error for invalid events", () => {
    expect(ORDER_EVENTS.map((event) => `${event}: ${stateAfter(event)}`)).toEqual([
      "deny: denied",
      "submit: submitted",
      "lose_track: unknown",
      "rest: resting",
      "fill: filled",
      "fill_partly: partially_filled",
      "cancel: cancelled",
      "reject: rejected",
      "expire: expired",
    ]);
    expect(() => stateAfter("vanish" as OrderEvent)).toThrow("Nothing becomes of vanish");
  });

  it("change to unknown after 30 seconds", () => {
    expect(isOutcomeOverdue(0, UNKNOWN_AFTER_MS - 1)).toBe(false);
    expect(isOutcomeOverdue(0, UNKNOWN_AFTER_MS)).toBe(true);
    expect(isOutcomeOverdue(1_000_000, 1_000_000)).toBe(false);
    expect(UNKNOWN_AFTER_MS).toBe(30_000);
  });

  it("appear in the trade log: full and partial fills as success, open ones as pending", () => {
    for (const state of ORDER_STATES) {
      const expected =
        state === "filled" || state === "partially_filled"
          ? "success"
          : isOpenOrderState(state)
            ? "pending"
            : "failed";
      expect([state, tradeLogStatus(state)]).toEqual([state, expected]);
    }
  });
});
