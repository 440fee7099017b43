import type { Clock } from "../../domain/clock.ts";

/** Clock of the browser. */
export const clock: Clock = { now: () => Date.now() };
