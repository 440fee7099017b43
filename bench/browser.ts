import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { findBrowser } from "../scripts/browser.mjs";

/** Starts the browser with the browser tests' settings and further switches. */
export function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const executablePath = findBrowser(process.env);
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", ...args],
  });
}

/** Total processor time of a page's main thread by kind of work, in milliseconds. */
export interface MainThread {
  readonly allMs: number;
  readonly scriptMs: number;
  readonly layoutMs: number;
  readonly styleMs: number;
}

/** Returns a reader of the main thread's processor time, which excludes other programs. */
export async function watchMainThread(
  context: BrowserContext,
  page: Page,
): Promise<() => Promise<MainThread>> {
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const secondsOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return {
      allMs: secondsOf("TaskDuration") * 1000,
      scriptMs: secondsOf("ScriptDuration") * 1000,
      layoutMs: secondsOf("LayoutDuration") * 1000,
      styleMs: secondsOf("RecalcStyleDuration") * 1000,
    };
  };
}

/** A frame that kept the page busy for 50 ms or more, as the browser itself reports it. */
export interface LongFrame {
  readonly startMs: number;
  readonly durationMs: number;
  /** Scripts of the frame, longest first. */
  readonly scripts: readonly string[];
}

/** Records long frames from the page's first script on. */
export async function noteLongFrames(page: Page): Promise<void> {
  await page.addInitScript(() => {
    interface FrameEntry extends PerformanceEntry {
      readonly scripts: readonly { readonly duration: number; readonly invoker: string }[];
    }
    const longFrames: LongFrame[] = [];
    Object.assign(globalThis, { longFrames });
    new PerformanceObserver((list) => {
      for (const { startTime, duration, scripts } of list.getEntries() as FrameEntry[]) {
        const named = [...scripts].sort((a, b) => b.duration - a.duration);
        longFrames.push({
          startMs: startTime,
          durationMs: duration,
          scripts: named.map(({ invoker, duration: ms }) => `${invoker} ${ms.toFixed(0)} ms`),
        });
      }
    }).observe({ type: "long-animation-frame" });
  });
}

/** Returns the long frames recorded since the last call. */
export function takeLongFrames(page: Page): Promise<readonly LongFrame[]> {
  return page.evaluate(() => {
    const { longFrames } = globalThis as unknown as { longFrames: LongFrame[] };
    return longFrames.splice(0);
  });
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Returns the processor time of the longest task any page's main thread ran, in milliseconds, from a trace of `toplevel`. */
export function longestMainTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString("utf8")) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`;
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(threadOf),
  );
  return traceEvents
    .filter((event) => main.has(threadOf(event)))
    .reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1000), 0);
}
