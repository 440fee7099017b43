import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { findViolations } from "./accessibility.ts";
import { keepAllTabs } from "./page.ts";
import type { Look } from "./look.ts";
import { test } from "./running-product.ts";
import { TOUR, WIDE } from "./tour.ts";
import { patient } from "../test/patient.ts";

const SIZES = [WIDE, { width: 768, height: 1024 }, { width: 360, height: 740 }] as const;

/** Minimum width with both panels side by side, in CSS pixels. */
const TWO_PANELS_PX = 768;

/** `npm run screenshots` sets it: what is looked at is kept as an image too. */
const shots = process.env["SCREENSHOTS"];

async function showPhonePage(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Pages" }).getByRole("button", { name }).click();
}

/** Returns whether the page overflows horizontally. */
const overflows = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

type Scheme = "light" | "dark";

/** Waits until the theme is applied and no animation runs. */
const settle = (page: Page, scheme: Scheme) =>
  page.evaluate(async (wanted) => {
    for (let frames = 0, calm = 0; frames < 300 && calm < 2; frames++) {
      await new Promise(requestAnimationFrame);
      const isMoving =
        getComputedStyle(document.documentElement).colorScheme !== wanted ||
        document.querySelector("[data-starting-style], [data-ending-style]") !== null ||
        document.getAnimations().some(({ playState }) => playState === "running");
      calm = isMoving ? 0 : calm + 1;
    }
  }, scheme);

async function keepImage(page: Page, width: number, name: string): Promise<void> {
  // A chart redraws some frames after a change of colours or size
  await page.waitForTimeout(120);
  const folder = join(import.meta.dirname, "../screenshots", String(width));
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

// Tracing every state of this tour would take longer than the tour
test.use({ trace: "off" });

for (const { name, walk } of TOUR) {
  test(`every screen meets WCAG 2.2 AA, wide and narrow, in both themes: ${name}`, async ({
    page,
    running: { product },
  }) => {
    test.setTimeout(patient(1_200_000));
    page.setDefaultTimeout(patient(60_000));
    await keepAllTabs(page);
    const found: string[] = [];
    const strangers = new Set<string>();
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith("http") && origin !== product.url) strangers.add(origin);
    });
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) strangers.add(message.text());
    });

    // The tour runs once; size and theme change in place, as on a rotated device
    const look: Look = async (state, { phonePage, again } = {}) => {
      for (const size of SIZES) {
        const isPhone = size.width < TWO_PANELS_PX;
        if (phonePage === "Agents" && !isPhone) continue;
        await page.setViewportSize(size);
        if (isPhone && phonePage !== undefined) await showPhonePage(page, phonePage);
        await again?.();
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          await settle(page, colorScheme);
          const where = `${state} ${size.width} ${colorScheme}`;
          const rules = colorScheme === "light" ? "colours" : "everything";
          found.push(
            ...(await findViolations(page, "html", rules)).map((line) => `${where}: ${line}`),
          );
          if (await overflows(page)) found.push(`${where}: wider than the screen`);
          if (shots !== undefined) await keepImage(page, size.width, `${state}-${colorScheme}`);
        }
        if (isPhone && phonePage !== undefined) await showPhonePage(page, "Trade");
      }
      await page.setViewportSize(WIDE);
      await settle(page, "dark");
    };

    try {
      await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
      await walk(page, product.url, look);
      expect([...strangers]).toEqual([]);
    } finally {
      if (found.length > 0) console.log([...new Set(found)].join("\n"));
    }
    expect(found).toEqual([]);
  });
}
