import { describe, expect, it } from "vitest";
import { sumNote } from "./sum-note.ts";

describe("sumNote", () => {
  it("says what shown parts add up to where that is not the shown sum", () => {
    expect(sumNote(["0.004", "0.004"], "0.008")).toBe(
      "Each figure is rounded by itself: as shown they add up to 0.00.",
    );
    expect(sumNote(["1", "2"], "3")).toBeNull();
    expect(sumNote(["-1200.354", "0.354"], "-1200")).toBeNull();
  });
});
