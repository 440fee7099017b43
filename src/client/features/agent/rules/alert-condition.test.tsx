import { fireEvent, render, screen, within } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import type { AlertCondition as Condition } from "../../../../domain/condition/condition.ts";
import { AlertCondition } from "./alert-list.tsx";

const MARKET = { network: "practice", asset: "SOL", intervalMinutes: 60 } as const;

function Page({
  first,
  market = null,
}: {
  readonly first: Condition | null;
  readonly market?: typeof MARKET | null;
}) {
  const [condition, setCondition] = useState(first);
  return (
    <>
      <AlertCondition
        called="dip"
        market={market}
        condition={condition}
        onChange={setCondition}
        onShowOnChart={() => {}}
      />
      <output>{JSON.stringify(condition)}</output>
    </>
  );
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));
const sentence = () => screen.getByText(/^(?:Fires|Not finished)/).textContent;

const open = (first: Condition | null = null) => {
  render(<Page first={first} />);
  press(first === null ? "Add a built-in condition to dip" : "Edit condition of dip");
};

describe("the condition of an alert", () => {
  it("starts as a complete sentence, which follows every choice", () => {
    open();
    expect(sentence()).toBe("Fires when RSI 14 crosses above 30");
    type("period of RSI, left of comparison 1", "7");
    type("Number, right of comparison 1", "-1.5");
    press("And another comparison");
    expect(sentence()).toBe("Fires when RSI 7 crosses above -1.5 and close above EMA 200");
    press("This bar, left of comparison 2; choose an earlier one");
    press("Delete comparison 1");
    expect(sentence()).toBe("Fires when close 1 bar ago above EMA 200");
  });

  it.each([
    ["period of RSI, left of comparison 1", "1", /from 2 to 500/],
    ["period of RSI, left of comparison 1", "2.5", /whole number/],
    ["period of RSI, left of comparison 1", "", /from 2 to 500/],
    ["period of RSI, left of comparison 1", "x", /digits/],
    ["Number, right of comparison 1", "2000000000000", /1,000,000,000,000/],
    ["Bars ago, left of comparison 1", "51", /from 0 to 50/],
  ])("explains beside %s what is wrong with %j", (label, value, words) => {
    open();
    press("This bar, left of comparison 1; choose an earlier one");
    type(label, value);
    const field = screen.getByLabelText(label);
    expect(field.getAttribute("aria-invalid")).toBe("true");
    const told = document.getElementById(field.getAttribute("aria-describedby") ?? "");
    expect(told?.textContent).toMatch(words);
    expect(sentence()).toMatch(/^Not finished/);
  });

  it("says beside the comparison that a longer interval does not fit the agent's", () => {
    const close = { kind: "price", field: "close" } as const;
    const right = { ...close, on: { interval: "90m" } } as const;
    const first: Condition = { kind: "comparisons", all: [{ left: close, is: "above", right }] };
    render(<Page first={first} market={MARKET} />);
    press("Edit condition of dip");
    const row = screen.getByRole("listitem", { name: "Comparison 1" });
    expect(within(row).getByRole("alert").textContent).toBe(
      "The longer interval is a multiple of the agent's, above a day in whole days: 90m is not.",
    );
    expect(screen.getByRole("combobox", { name: "Interval, right of comparison 1" })).toBeTruthy();
  });

  it("reads another asset, and says beside the comparison that one has no candles", () => {
    const close = { kind: "price", field: "close" } as const;
    const of = (asset: string): Condition => ({
      kind: "comparisons",
      all: [{ left: { ...close, on: { asset } }, is: "rises-for", bars: 2 }],
    });
    const { unmount } = render(<Page first={of("BTC")} market={MARKET} />);
    expect(sentence()).toBe("Fires when BTC close rises for 2 bars");
    unmount();
    render(<Page first={of("DOGE")} market={MARKET} />);
    press("Edit condition of dip");
    const row = screen.getByRole("listitem", { name: "Comparison 1" });
    expect(within(row).getByRole("alert").textContent).toBe("There are no candles of DOGE.");
    expect(screen.getByRole("combobox", { name: "Asset, left of comparison 1" })).toBeTruthy();
  });

  it("accepts at most four comparisons", () => {
    open();
    const add = screen.getByRole<HTMLButtonElement>("button", { name: "And another comparison" });
    for (let count = 1; count < 4; count++) fireEvent.click(add);
    expect(screen.getAllByRole("listitem")).toHaveLength(4);
    expect(add.disabled).toBe(true);
    expect(screen.getByText("Four is the most one condition takes.")).toBeTruthy();
  });

  it("asks for days and hours, and says when no day is chosen", () => {
    open();
    fireEvent.click(screen.getByRole("switch", { name: "Only at certain times" }));
    expect(sentence()).toMatch(/Mon–Fri 08:00–20:00 UTC$/);
    for (const day of ["Mon", "Tue", "Wed", "Thu", "Fri"]) press(day);
    expect(sentence()).toMatch(/^Not finished/);
    press("Sun");
    type("From, UTC", "22:00");
    expect(sentence()).toMatch(/Sun 22:00–20:00 UTC$/);
  });

  it("can be edited as a schedule, and removed", () => {
    open({ kind: "every-bars", bars: 4 });
    type("Bars between firings", "0");
    expect(sentence()).toMatch(/^Not finished/);
    type("Bars between firings", "12");
    const written = () => JSON.parse(screen.getByRole("status").textContent) as unknown;
    expect(written()).toEqual({ kind: "every-bars", bars: 12 });
    press("Remove condition");
    expect(written()).toBeNull();
  });
});
