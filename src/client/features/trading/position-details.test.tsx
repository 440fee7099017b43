import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { PositionSummary } from "../../../contract/trade.ts";
import PositionDetails from "./position-details.tsx";

type ShownPlan = NonNullable<PositionSummary["plan"]>;

const PLAN: ShownPlan = {
  kept: "resting",
  stop: { price: "131.2", by: "stop" },
  targets: [{ target: 1, price: "160" }],
};

const show = (plan: ShownPlan) =>
  render(
    <PositionDetails
      position={{
        position: "1",
        portfolioValue: "100",
        positionValue: "150",
        side: "long",
        available: true,
        plan,
      }}
      network="mainnet"
      isStale={false}
    />,
  ).container;

const RESTS = "Rests at the exchange. Holds while this server is off.";
const WATCHED = "Watched by this server. Does not hold while it is off.";

it("shows a stop that rests at the exchange as such, and the target beside it as watched", () => {
  expect(show(PLAN).textContent).toContain("Stop: $131.20 · resting");
  expect(screen.getByTitle(RESTS).textContent).toBe("Stop: ");
  expect(screen.getByTitle(WATCHED).textContent).toBe("Target 1: ");
});

it("says since when a stop that should rest does not", () => {
  const shown = show({ ...PLAN, kept: "watched", notRestingSince: "2026-11-26T07:00:00.000Z" });
  expect(shown.textContent).toContain("Stop: $131.20 · watched");
  expect(shown.textContent).toMatch(/stop not at the exchange since .*, watched here/);
});
