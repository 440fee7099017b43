import { describe, expect, it } from "vitest";
import { timesIn } from "./time-zone.ts";

describe("times in a zone", () => {
  it.each([
    ["UTC", "2026-11-21", "23:05", "Nov 21, 23:05"],
    ["Europe/Berlin", "2026-11-22", "00:05", "Nov 22, 00:05"],
    ["America/New_York", "2026-11-21", "18:05", "Nov 21, 18:05"],
    ["Asia/Kolkata", "2026-11-22", "04:35", "Nov 22, 04:35"],
  ])("%s shows one moment as %s %s", (zone, date, time, short) => {
    const times = timesIn(zone);
    const at = "2026-11-21T23:05:09.000Z";
    expect([times.date(at), times.time(at), times.short(at)]).toEqual([date, time, short]);
    expect(times.clock(Date.parse(at))).toBe(`${time}:09`);
    expect(times.full(at)).toBe(`${date} ${time}:09 ${zone}`);
  });

  it("follow summer time on each date", () => {
    const berlin = timesIn("Europe/Berlin");
    expect(berlin.short("2026-10-24T22:30:00.000Z")).toBe("Oct 25, 00:30");
    expect(berlin.short("2026-10-25T22:30:00.000Z")).toBe("Oct 25, 23:30");
  });
});
