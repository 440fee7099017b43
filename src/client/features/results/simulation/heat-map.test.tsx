import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { measuresOf } from "../../../../strategy/measures.ts";
import { simulate } from "../../../../strategy/simulate.ts";
import { buildSimulation, hourlyBars } from "../../../../../test/simulated.ts";
import { HeatMap } from "./heat-map.tsx";

const parameter = { id: "a 0", value: 1, isWhole: true, min: 1, max: 9 };
const axes = [{ parameter: { ...parameter, label: "Dip: SMA period" }, values: [1, 2, 3] }];
const cell = {
  variant: "",
  values: [1],
  totalReturn: 0,
  sharpe: null,
  tStatistic: null,
  closedTrades: 0,
  returns: [],
};
const cells = [
  cell,
  { ...cell, values: [2], totalReturn: -0.02, sharpe: -0.5, tStatistic: -0.3, closedTrades: 4 },
  { ...cell, values: [3], totalReturn: -0.04, sharpe: -0.7, tStatistic: -0.4, closedTrades: 9 },
];
const measures = measuresOf(simulate(buildSimulation(hourlyBars([100, 99]), [])), 6);
const judged = {
  overfitting: 0.62,
  walk: { windows: [0.02, -0.04, 0, 0.006], totalReturn: -0.015 },
};
const keptOut = { ...measures, totalReturn: -0.031, sharpe: -1.2, closedTrades: 2 };

it("shows the held-out result of the best variant only, and never ranks an inactive variant best", async () => {
  render(<HeatMap grid={{ axes, cells, best: 1, keptOut, ...judged }} />);
  const caption = screen.getByRole("figure").querySelector("figcaption");
  expect(caption?.textContent).toContain("Best: Dip: SMA period 2 – −2.0%, Sharpe −0.50, 4 trades");
  const outcome = "The best one on the 30% kept out: −3.1%, Sharpe −1.20, 2 trades";
  expect(caption?.textContent).toContain(outcome);
  expect(caption?.textContent).toContain(
    "Chance that the best one is below the middle later: 62.0%, as if chosen by chance",
  );
  expect(caption?.textContent).toContain(
    "Chosen anew before each of 4 windows: −1.5%, by window +2.0%, −4.0%, 0.0%, +0.6%",
  );
  screen.getByRole("application").focus();
  const { userEvent } = await import("@testing-library/user-event");
  await userEvent.keyboard("{ArrowDown}");
  expect(caption?.textContent).toContain("Here: Dip: SMA period 3 – −4.0%");
  expect(caption?.textContent).toContain(outcome);
});

it("names no best variant where none traded", () => {
  render(
    <HeatMap
      grid={{ axes, cells: [cell], best: null, keptOut: null, overfitting: null, walk: null }}
    />,
  );
  const caption = screen.getByRole("figure").querySelector("figcaption");
  expect(caption?.textContent?.trim()).toBe("0 of 1 variants gained. None of them closed a trade.");
});

it("has figures at both axes and no cell where the fast length is not below the slow one", async () => {
  const [fast, slow] = [
    { parameter: { ...parameter, label: "fast" }, values: [3, 8] },
    { parameter: { ...parameter, label: "slow" }, values: [5, 9] },
  ];
  const shown = [
    [3, 5],
    [3, 9],
    [8, 9],
  ].map((values) => ({ ...cell, values, closedTrades: 1 }));
  const { container } = render(
    <HeatMap
      grid={{
        axes: [fast, slow],
        cells: shown,
        best: 0,
        keptOut: null,
        overfitting: null,
        walk: null,
      }}
    />,
  );
  const drawn = [...container.querySelectorAll("rect")].map((rect) => [
    Number(rect.getAttribute("x")),
    Number(rect.getAttribute("y")),
  ]);
  expect(drawn).toEqual([
    [0, 0],
    [24, 0],
    [24, 24],
  ]);
  const figures = [...container.querySelectorAll("span[style]")].map((each) => each.textContent);
  expect(figures).toEqual(["3", "8", "5", "9"]);
  expect(container.textContent).toContain("Empty where a fast length is not below its slow one.");
  const caption = screen.getByRole("figure").querySelector("figcaption");
  screen.getByRole("application").focus();
  const { userEvent } = await import("@testing-library/user-event");
  await userEvent.keyboard("{ArrowDown}");
  expect(caption?.textContent).toContain("Best: fast 3, slow 5");
  await userEvent.keyboard("{ArrowRight}{ArrowDown}");
  expect(caption?.textContent).toContain("Here: fast 8, slow 9");
});
