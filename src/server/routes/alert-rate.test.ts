import { describe, expect, it } from "vitest";
import { createAlertRate } from "./webhook.ts";

const LIMITS = { alertsPerMinute: 2, deliveriesPerMinute: 4 };
const START_MS = Date.parse("2026-11-22T10:00:00Z");

const limited = (retryAfterSeconds: number) =>
  expect.objectContaining({ code: "rate_limited", retryAfterSeconds });

describe("the rate of a sender's alerts", () => {
  it("counts distinct firings per sender within a minute of the first", () => {
    const limit = createAlertRate(LIMITS);
    limit("one", "first", START_MS);
    limit("one", "second", START_MS + 30_000);
    expect(() => limit("one", "third", START_MS + 40_500)).toThrow(limited(20));
    limit("other", "third", START_MS + 40_500);
    limit("one", "third", START_MS + 60_000);
  });

  it("counts a repeated firing as a delivery only", () => {
    const limit = createAlertRate(LIMITS);
    for (let sent = 0; sent < 4; sent += 1) limit("one", "first", START_MS + sent);
    expect(() => limit("one", "first", START_MS + 59_999)).toThrow(limited(1));
    limit("one", "second", START_MS + 60_000);
  });

  it("begins a new minute when the clock was set back, and locks nobody out meanwhile", () => {
    const limit = createAlertRate(LIMITS);
    for (const firing of ["first", "second"]) limit("one", firing, START_MS);
    expect(() => limit("one", "third", START_MS)).toThrow(limited(60));
    const anHourBefore = START_MS - 3_600_000;
    limit("one", "third", anHourBefore);
    limit("one", "fourth", anHourBefore);
    expect(() => limit("one", "fifth", anHourBefore)).toThrow(limited(60));
    limit("one", "fifth", anHourBefore + 60_000);
  });
});
