import { expect, it } from "vitest";
import { rangeOfDays } from "./export-dialog.tsx";

it.each([
  ["nothing", { from: "", to: "" }, { from: undefined, to: undefined }],
  [
    "one day",
    { from: "2026-11-21", to: "2026-11-21" },
    { from: "2026-11-21T00:00:00.000Z", to: "2026-11-22T00:00:00.000Z" },
  ],
  [
    "a first day alone",
    { from: "2026-11-21", to: "" },
    { from: "2026-11-21T00:00:00.000Z", to: undefined },
  ],
])("%s is a range of whole days", (_name, days, range) => {
  expect(rangeOfDays(days)).toEqual(range);
});

it.each([
  ["reversed", { from: "2026-11-22", to: "2026-11-21" }, "to"],
  ["of the year 9999", { from: "", to: "9999-01-01" }, "to"],
  ["of the year 1", { from: "0001-01-01", to: "" }, "from"],
])("a range that is %s says so", (_name, days, field) => {
  expect(rangeOfDays(days)).toMatchObject({ problem: { field } });
});
