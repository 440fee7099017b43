import type { ReceivedSignal } from "../../../../contract/signals.ts";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { parseEventId } from "../../../../domain/ids.ts";
import { reasonText } from "../../../../domain/reasons.ts";
import { WaitingForAlert } from "./waiting-for-alert.tsx";

const signal = (outcome: ReceivedSignal["outcome"], reason?: string): ReceivedSignal => ({
  eventId: parseEventId("e".repeat(32)),
  alertName: "buy",
  receivedAt: "2026-11-22T10:00:00.000Z",
  outcome,
  ...(reason !== undefined && { reason }),
  orders: [],
});
const said = (...signals: readonly ReceivedSignal[]) => {
  render(<WaitingForAlert signals={signals} listening="outside" />);
  return screen.getByRole("status").textContent;
};

it("says why an alert was refused, and keeps waiting", () => {
  const text = said(signal("refused", "stale_signal"));
  expect(text).toContain(`was refused: ${reasonText("stale_signal")}`);
  expect(text).toContain("Waiting for one the agent understands.");
  expect(text).not.toContain("Your first alert arrived");
});

it.each(["accepted", "ignored", "denied", "duplicate"] as const)(
  "counts an alert that is %s as received, whatever was refused after it",
  (outcome) =>
    expect(said(signal("refused"), signal(outcome))).toContain("Your first alert arrived"),
);
