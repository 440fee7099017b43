import type { Clock } from "../../domain/clock.ts";

/** The browser's own clock. */
export const clock: Clock = { now: () => Date.now() };
