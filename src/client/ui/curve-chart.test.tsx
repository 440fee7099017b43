import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { CurveChart, type CurvePanel } from "./curve-chart.tsx";

const times = [0, 3_600, 7_200];
const formatValue = (value: number) => value.toFixed(1);
const panels: readonly CurvePanel[] = [
  {
    height: "h-40",
    formatValue,
    curves: [
      { label: "Account", tone: "accent", times, values: [1, 2, 3] },
      { label: "Holding", tone: "muted", times, values: [1, null, 4] },
    ],
  },
  {
    height: "h-20",
    formatValue,
    top: 0,
    curves: [{ label: "Fall", tone: "down", times, values: [0, -0.5, 0] }],
  },
];

it("reads the values of all plots under one cursor that keys move", async () => {
  const user = userEvent.setup();
  render(<CurveChart label="Worth" panels={panels} summary="It rose." />);
  const chart = screen.getByRole("slider", { name: "Worth" });
  expect(chart.getAttribute("aria-valuetext")).toBe("It rose. Use the arrow keys to read values");
  await user.tab();
  await user.keyboard("{ArrowLeft}");
  expect(chart.getAttribute("aria-valuetext")).toBe(
    "1970-01-01 02:00: Account 3.0, Holding 4.0, Fall 0.0",
  );
  await user.keyboard("{ArrowLeft}");
  expect(chart.getAttribute("aria-valuetext")).toBe(
    "1970-01-01 01:00: Account 2.0, Holding not known, Fall -0.5",
  );
  await user.keyboard("{Home}{ArrowLeft}");
  expect(chart.getAttribute("aria-valuenow")).toBe("0");
  await user.keyboard("{End}{ArrowRight}");
  expect(chart.getAttribute("aria-valuenow")).toBe("2");
  await user.keyboard("{Escape}");
  expect(chart.getAttribute("aria-valuetext")).toBe("It rose. Use the arrow keys to read values");
});

it("shows the last values and their time while there is no cursor", () => {
  const { container } = render(<CurveChart label="Worth" panels={panels} />);
  expect(container.querySelector("figcaption")?.textContent).toBe(
    "Account3.0Holding4.0Fall0.01970-01-01 02:00",
  );
});

it("shades the end of the times only where it lies among them", () => {
  const { rerender } = render(
    <CurveChart label="Worth" panels={panels} shaded={{ from: 3_600, label: "Kept out" }} />,
  );
  expect(screen.getByText("Kept out")).toBeTruthy();
  rerender(
    <CurveChart label="Worth" panels={panels} shaded={{ from: 9_000, label: "Kept out" }} />,
  );
  expect(screen.queryByText("Kept out")).toBeNull();
});

it("marks a span of less than two minutes to the second", () => {
  const curve = {
    label: "Account",
    tone: "accent",
    times: [0, 60, 90],
    values: [1, 2, 3],
  } as const;
  render(<CurveChart label="Worth" panels={[{ height: "h-40", formatValue, curves: [curve] }]} />);
  expect(screen.getByText("00:00:45")).toBeTruthy();
});
