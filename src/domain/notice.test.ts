import { describe, expect, it } from "vitest";
import { quietUntil } from "./notice.ts";

const at = (text: string) => Date.parse(text);

describe("quiet hours", () => {
  const night = { fromMinute: 22 * 60, toMinute: 7 * 60 + 30, zone: "Europe/Berlin" };

  it.each([
    ["before them", "2026-11-22T20:59:59Z", null],
    ["at their first minute", "2026-11-22T21:00:30Z", "2026-11-23T06:30:00Z"],
    ["after midnight", "2026-11-23T02:00:00Z", "2026-11-23T06:30:00Z"],
    ["at their end", "2026-11-23T06:30:00Z", null],
    ["in summer, an hour earlier by UTC", "2026-07-01T20:00:00Z", "2026-07-02T05:30:00Z"],
  ])("%s", (_name, now, until) => {
    expect(quietUntil(night, at(now))).toBe(until === null ? null : at(until));
  });

  it("never apply where none are set, or where start equals end", () => {
    expect(quietUntil(null, 0)).toBeNull();
    expect(
      quietUntil({ ...night, toMinute: night.fromMinute }, at("2026-11-22T23:00:00Z")),
    ).toBeNull();
  });
});
