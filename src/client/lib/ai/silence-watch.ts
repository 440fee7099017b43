export interface SilenceLimits {
  /** Longest wait for the first byte and between two chunks, in milliseconds. */
  readonly silenceMs: number;
  /** Longest duration of one request, in milliseconds. */
  readonly longestMs: number;
}

/** Creates an abort signal that fires on a stalled provider and on the user's Stop. */
export function createSilenceWatch(outer: AbortSignal, { silenceMs, longestMs }: SilenceLimits) {
  const controller = new AbortController();
  let isTimedOut = false;
  let isTooLong = false;
  const end = setTimeout(() => {
    isTooLong = true;
    controller.abort();
  }, longestMs);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let touchedAt = 0;
  /** Reuses one timer for all chunks: on expiry it is rescheduled from the last chunk's arrival. */
  function wait(waitMs: number): void {
    timer = setTimeout(() => {
      const leftMs = touchedAt + silenceMs - performance.now();
      if (leftMs > 0) return wait(leftMs);
      isTimedOut = true;
      controller.abort();
    }, waitMs);
  }
  const stop = () => controller.abort(outer.reason);
  outer.addEventListener("abort", stop, { once: true });
  if (outer.aborted) stop();
  return {
    signal: controller.signal,
    isTimedOut: () => isTimedOut,
    isTooLong: () => isTooLong,
    touch() {
      touchedAt = performance.now();
      if (timer === undefined) wait(silenceMs);
    },
    end() {
      clearTimeout(timer);
      clearTimeout(end);
      outer.removeEventListener("abort", stop);
    },
  };
}
