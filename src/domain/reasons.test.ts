import { describe, expect, it } from "vitest";
import { REASONS, reasonText, reasonWords } from "./reasons.ts";

describe("words for a reason", () => {
  it("consist of a sentence for what happened and another for what to do", () => {
    for (const { what, todo } of Object.values(REASONS)) {
      expect(what).toMatch(/^[A-Z].*\.$/);
      expect(todo).toMatch(/^[A-Z].*\.$/);
    }
  });

  it("are unique to one reason", () => {
    const said = Object.values(REASONS).map(({ what }) => what);
    expect(new Set(said).size).toBe(said.length);
  });

  it("keep a venue's own words", () => {
    expect(reasonWords("The order is below the market's smallest size.")).toBeNull();
    expect(reasonText("constructor")).toBe("constructor");
  });

  it("say that a closing is repeated, and that an entry is not", () => {
    expect(reasonText("expired", "CLOSE_LONG")).toMatch(/closing is tried again/);
    expect(reasonText("Sent too late.", "CLOSE_LONG")).toMatch(/^Sent too late\. Nothing to do/);
    expect(reasonText("expired", "OPEN_LONG")).toMatch(/next alert tries anew/);
    expect(reasonText("exit_ended", "CLOSE_LONG")).toMatch(/open still/);
  });

  it("explain a bare program code", () => {
    expect(reasonText("program_refused 6001")).toMatch(
      /^A program at the venue refused the order with a code of its own \(code 6001\)\. Nothing was traded\./,
    );
  });
});
