import type { Browser } from "@playwright/test";
import { launchBrowser } from "./browser.ts";
import { fixed, machineLoad, median, say } from "./figures.ts";
import { serveHello } from "./serve-hello.ts";
import { withProduct } from "./with-product.ts";

const ROUNDS = 9;
const LIMIT = 1.5;
const SLOWER_CPU = 4;
/** "Slow 4G" preset of Chromium's developer tools. */
const SLOW_4G = { latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 84_375 };
const VIEWPORT = { width: 390, height: 844 };

interface Loaded {
  /** When the largest piece of the page was drawn, milliseconds after it was asked for. */
  readonly lcpMs: number;
  /** Time until the page is usable in milliseconds: its first button, or the bare page's line, exists. */
  readonly usableMs: number;
  readonly scriptBytes: number;
  readonly largest: string;
}

/** Loads an address in a fresh browser and waits until no more data arrives. */
async function load(browser: Browser, url: string): Promise<Loaded> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", { offline: false, ...SLOW_4G });
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER_CPU });
  await page.addInitScript(() => {
    interface Largest extends PerformanceEntry {
      readonly element: Element | null;
    }
    const seen = { lcpMs: 0, usableMs: 0, largest: "" };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const { startTime, element } of list.getEntries() as Largest[]) {
        Object.assign(seen, { lcpMs: startTime, largest: element?.textContent ?? "" });
      }
    }).observe({ type: "largest-contentful-paint", buffered: true });
    const watcher = new MutationObserver(() => {
      if (document.querySelector("h1, main button") === null) return;
      watcher.disconnect();
      requestAnimationFrame((now) => Object.assign(seen, { usableMs: now }));
    });
    watcher.observe(document, { childList: true, subtree: true });
  });
  await page.goto(url, { waitUntil: "load" });
  await page.locator("h1, main button").first().waitFor();
  // The event stream keeps the network busy, so this waits for files and answers only
  await page.waitForFunction((quietMs) => {
    const last = performance
      .getEntriesByType("resource")
      .map((entry) => entry.duration + entry.startTime);
    return performance.now() - Math.max(...last) > quietMs;
  }, 2 * SLOW_4G.latency);
  const loaded = await page.evaluate(() => {
    const { seen } = globalThis as unknown as {
      seen: Pick<Loaded, "lcpMs" | "usableMs" | "largest">;
    };
    const scripts = performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.endsWith(".js")) as PerformanceResourceTiming[];
    return {
      ...seen,
      scriptBytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    };
  });
  await context.close();
  return loaded;
}

const browser = await launchBrowser();
const hello = await serveHello();
try {
  await withProduct({}, async (url) => {
    const took: { hello: Loaded[]; product: Loaded[] } = { hello: [], product: [] };
    // Alternates, so that other load affects both equally
    for (let round = 0; round < ROUNDS; round += 1) {
      took.hello.push(await load(browser, hello.url));
      took.product.push(await load(browser, url));
    }
    const of = (loads: readonly Loaded[], figure: keyof Omit<Loaded, "largest">, per = 1) =>
      fixed(median(loads.map((one) => one[figure])) / per, 0);
    const both = (figure: keyof Omit<Loaded, "largest">, per = 1) =>
      [of(took.product, figure, per), of(took.hello, figure, per)] as const;
    const [lcp, bare] = both("lcpMs");
    const [usable, bareUsable] = both("usableMs");
    const [script, bareScript] = both("scriptBytes", 1000);
    const ratio = Number(lcp) / Number(bare);
    say(
      `largest paint of the first load, ${SLOWER_CPU}x CPU, slow 4G: ${lcp} ms against ${bare} ms of a ` +
        `hello-world page (${fixed(ratio)}x of at most ${LIMIT}x); usable after ${usable} ms against ` +
        `${bareUsable} ms; script ${script} kB against ${bareScript} kB; machine's load ${machineLoad()}`,
    );
    say(`largest: "${took.product.at(-1)?.largest.slice(0, 80)}"`);
    if (ratio > LIMIT) process.exitCode = 1;
  });
} finally {
  hello.stop();
  await browser.close();
}
