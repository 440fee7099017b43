import type { Page } from "@playwright/test";

/** One interaction as the Event Timing API reports it, in milliseconds: from the input to the frame that shows it. */
export interface Interaction {
  readonly durationMs: number;
  /** Time in the page's event handlers, in milliseconds. */
  readonly handlersMs: number;
}

interface TimedEvent {
  readonly id: number;
  readonly durationMs: number;
  readonly handlersMs: number;
}

/** Records interactions of 16 ms or more from the page's first script on. */
export async function noteInteractions(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const timedEvents: TimedEvent[] = [];
    Object.assign(globalThis, { timedEvents });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[]) {
        const { interactionId } = entry as PerformanceEventTiming & { interactionId: number };
        if (interactionId === 0) continue;
        timedEvents.push({
          id: interactionId,
          durationMs: entry.duration,
          handlersMs: entry.processingEnd - entry.processingStart,
        });
      }
    }).observe({ type: "event", durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  });
}

/** Returns the interactions since the last call, each with its longest event. */
export async function takeInteractions(page: Page): Promise<readonly Interaction[]> {
  const events = await page.evaluate(() => {
    const { timedEvents } = globalThis as unknown as { timedEvents: TimedEvent[] };
    return timedEvents.splice(0);
  });
  const longest = new Map<number, Interaction>();
  for (const { id, durationMs, handlersMs } of events) {
    const before = longest.get(id) ?? { durationMs: 0, handlersMs: 0 };
    longest.set(id, {
      durationMs: Math.max(before.durationMs, durationMs),
      handlersMs: before.handlersMs + handlersMs,
    });
  }
  return [...longest.values()];
}

/**
 * Takes every frame off the screen as it is shown. Without a viewer a headless browser draws nothing that it thinks
 * nobody sees, and then reports an input as shown only with some later frame, half a second or more after the true one.
 */
export async function watchScreen(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  session.on("Page.screencastFrame", ({ sessionId }) => {
    void session.send("Page.screencastFrameAck", { sessionId }).catch(() => undefined);
  });
  await session.send("Page.startScreencast", {
    format: "jpeg",
    quality: 10,
    maxWidth: 144,
    maxHeight: 90,
  });
}
