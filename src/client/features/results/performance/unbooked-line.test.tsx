import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { UnbookedLine } from "./performance-view.tsx";

it.each([
  [0, ""],
  [
    1,
    "1 transaction is not final yet: in the money and the trades, in curve and returns once final.",
  ],
  [
    2,
    "2 transactions are not final yet: in the money and the trades, in curve and returns once final.",
  ],
])("of %i transactions that are not final says %j", (count, text) => {
  render(<UnbookedLine count={count} />);
  expect(screen.getByRole("status").textContent).toBe(text);
});
