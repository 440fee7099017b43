import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { LimitsNote } from "./limits-note.tsx";

it("shows every limit with the enforced figures", () => {
  render(<LimitsNote />);
  expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "No new entry after 6 orders in a minute or 60 in an hour.",
    "After losing 10% of its account in a day it only closes, until 00:00 UTC.",
    "After 5 failed orders in a row it only closes, until an order fills or you turn Auto-Trade off and on.",
    "Closing a position is never held back by these.",
  ]);
});
