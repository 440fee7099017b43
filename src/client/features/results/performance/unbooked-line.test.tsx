import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { UnbookedLine } from "./unbooked-line.tsx";

it.each([
  [0, ""],
  [1, "1 transaction is not in the book yet: pending until the chain says it is final."],
  [2, "2 transactions are not in the book yet: pending until the chain says they are final."],
])("of %i transactions that are not final says %j", (count, text) => {
  render(<UnbookedLine count={count} />);
  expect(screen.getByRole("status").textContent).toBe(text);
});
