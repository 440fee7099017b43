import { expect, it } from "vitest";
import { createTestClock } from "../../../test/clock.ts";
import type { Venue, VenueHealth } from "../../venues/ports.ts";
import { createCachedHealth } from "./deployment.ts";

/** A venue whose readings the test answers. */
function readVenue() {
  const asked: { resolve(health: VenueHealth): void; reject(error: Error): void }[] = [];
  const health = () =>
    new Promise<VenueHealth>((resolve, reject) => void asked.push({ resolve, reject }));
  return { asked, venue: { health } as unknown as Venue };
}

it("reads a venue once for any number of callers, and again in the background", async () => {
  const clock = createTestClock();
  const { asked, venue } = readVenue();
  const healthOf = createCachedHealth(clock);
  const first = Promise.all(Array.from({ length: 1_000 }, () => healthOf(venue)));
  asked[0]?.resolve({ status: "available" });
  expect(new Set((await first).map(({ status }) => status))).toEqual(new Set(["available"]));
  expect(asked).toHaveLength(1);
  clock.advance(30_000);
  // Nobody waits for the second reading
  for (let call = 0; call < 1_000; call += 1) {
    expect(await healthOf(venue)).toEqual({ status: "available" });
  }
  expect(asked).toHaveLength(2);
  asked[1]?.resolve({ status: "paused", reason: "x" });
  await expect.poll(() => healthOf(venue)).toEqual({ status: "paused", reason: "x" });
  expect(asked).toHaveLength(2);
});

it("reports paused from the first reading on, and unread before it", async () => {
  const { asked, venue } = readVenue();
  const healthOf = createCachedHealth(createTestClock());
  expect(await healthOf(venue)).toEqual({ status: "unread" });
  const waiting = healthOf(venue);
  asked[0]?.resolve({ status: "paused", reason: "x" });
  expect(await waiting).toEqual({ status: "paused", reason: "x" });
  expect(asked).toHaveLength(1);
});

it("reports the age of its figure when no new one arrives", async () => {
  const clock = createTestClock();
  const { asked, venue } = readVenue();
  const healthOf = createCachedHealth(clock);
  const first = healthOf(venue);
  const readAt = new Date(clock.now()).toISOString();
  asked[0]?.resolve({ status: "available" });
  await first;
  clock.advance(121_000);
  expect(await healthOf(venue)).toEqual({ status: "available", readAt });
  expect(asked).toHaveLength(2);
});

it("treats an unreadable venue as paused, and retries a second later", async () => {
  const clock = createTestClock();
  const { asked, venue } = readVenue();
  const healthOf = createCachedHealth(clock);
  const first = healthOf(venue);
  asked[0]?.reject(new Error("down"));
  expect((await first).status).toBe("paused");
  await healthOf(venue);
  expect(asked).toHaveLength(1);
  clock.advance(1_000);
  await healthOf(venue);
  expect(asked).toHaveLength(2);
});
