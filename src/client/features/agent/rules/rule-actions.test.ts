import { describe, expect, it } from "vitest";
import { actionGroups } from "./rule-list.tsx";

const labelsOf = (isSpotOnly: boolean) =>
  actionGroups(isSpotOnly).map(({ label, options }) => [label, options.map((each) => each.label)]);

describe("the choices of THEN", () => {
  it("read as specified, by group", () => {
    const groups = [
      ["Open", ["Long", "Short"]],
      ["Close", ["Close long", "Close short"]],
      [
        "Reset counters",
        ["Reset open long", "Reset open short", "Reset close long", "Reset close short"],
      ],
    ];
    expect(labelsOf(false)).toEqual(groups);
    expect(labelsOf(true)).toEqual(groups);
  });

  it("exclude shorts, and nothing else, on a spot venue", () => {
    const refused = (isSpotOnly: boolean) =>
      actionGroups(isSpotOnly)
        .flatMap(({ options }) => options)
        .filter(({ disabled }) => disabled === true)
        .map(({ value }) => value);
    expect(refused(false)).toEqual([]);
    expect(refused(true)).toEqual([
      "OPEN_SHORT",
      "CLOSE_SHORT",
      "RESET_OPEN_SHORT",
      "RESET_CLOSE_SHORT",
    ]);
  });
});
