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

/** Returns a debounced function that runs `act` with the last call's arguments after a pause. */
export function debounce<A extends readonly unknown[]>(
  act: (...args: A) => void,
  pauseMs: number,
): (...args: A) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...args), pauseMs);
  };
}
