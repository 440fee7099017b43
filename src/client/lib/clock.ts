import type { Clock } from "../../domain/clock.ts";

/** Clock of the browser. */
export const clock: Clock = { now: () => Date.now() };

/** Returns the browser's time in the wire's ISO format. */
export function isoNow(): string {
  return new Date().toISOString();
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
