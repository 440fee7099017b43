import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { PineView } from "./strategy-code.tsx";

const reason = "profit in % is known to the agent, not to a chart.";

it("names what is left out even where nothing can be expressed in Pine", () => {
  const script = { text: "", leftOut: [{ name: "take profit", reason }], differs: [] };
  render(<PineView script={script} fileName="a.pine" outside={["news"]} />);
  const items = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(items).toEqual([
    `take profit is not in it. ${reason}`,
    "news is not in it. It has no condition and comes from outside.",
  ]);
});

it("says why it may fire differently from the agent", () => {
  const script = { text: "//@version=6\n", leftOut: [], differs: ["It computes on the chart."] };
  render(<PineView script={script} fileName="a.pine" outside={[]} />);
  expect(screen.getByRole("list", { name: "What differs" }).textContent).toBe(
    "It computes on the chart.",
  );
});
