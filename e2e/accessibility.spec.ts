import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { findViolations } from "./accessibility.ts";
import { freePort, makeDataDir, type Product, startProduct } from "./product.ts";
import { tour, WIDE, type Look } from "./tour.ts";

const SIZES = [WIDE, { width: 768, height: 1024 }, { width: 360, height: 740 }] as const;

/** `npm run screenshots` sets it: what is looked at is kept as an image too. */
const shots = process.env["SCREENSHOTS"];

async function showPhonePage(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Pages" }).getByRole("button", { name }).click();
}

/** Everything on a screen is inside its width. */
const overflows = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const size of SIZES) {
  test(`every screen meets WCAG 2.2 AA in both themes, ${size.width} px wide`, async ({ page }) => {
    test.skip(shots === undefined, "takes minutes: npm run screenshots walks it");
    test.setTimeout(400_000);
    const dataDir = makeDataDir();
    const product: Product = await startProduct(dataDir.path, await freePort());
    const found: string[] = [];
    const strangers = new Set<string>();
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith("http") && origin !== product.url) strangers.add(origin);
    });
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) strangers.add(message.text());
    });

    const look: Look = async (name, { phonePage } = {}) => {
      const isPhone = size.width < 768;
      if (phonePage !== undefined && name.includes("-agents") && !isPhone) return;
      await page.setViewportSize(size);
      if (isPhone && phonePage !== undefined) await showPhonePage(page, phonePage);
      for (const colorScheme of ["dark", "light"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        // Colours change within the shortest transition
        await page.waitForTimeout(shots === undefined ? 30 : 250);
        const where = `${name} ${size.width} ${colorScheme}`;
        found.push(...(await findViolations(page, "html")).map((line) => `${where}: ${line}`));
        if ((await overflows(page)) > 0) found.push(`${where}: wider than the screen`);
        if (shots !== undefined) {
          const folder = join(import.meta.dirname, "../screenshots", String(size.width));
          mkdirSync(folder, { recursive: true });
          await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
        }
      }
      if (isPhone && phonePage !== undefined) await showPhonePage(page, "Trade");
      await page.setViewportSize(WIDE);
    };

    try {
      await tour(page, product.url, look);
      expect(found).toEqual([]);
      expect([...strangers]).toEqual([]);
    } finally {
      if (found.length > 0) console.log([...new Set(found)].join("\n"));
      await product.stop();
      dataDir.remove();
    }
  });
}
