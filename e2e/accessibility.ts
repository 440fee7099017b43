import type { Page } from "@playwright/test";
import axe from "axe-core";

const WCAG_22_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** The rules of that standard whose answer a theme can change: it changes colours and nothing else. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Waits for what is moving to arrive: colours half way between two themes have a contrast of their own. */
const settle = (page: Page) =>
  page.evaluate(async () => {
    const moving = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(moving.map(({ finished }) => finished));
    await new Promise(requestAnimationFrame);
  });

/** What axe finds wrong by WCAG 2.2 AA inside an element, one line each. */
export async function findViolations(
  page: Page,
  selector: string,
  only: "everything" | "colours" = "everything",
): Promise<readonly string[]> {
  await settle(page);
  // Evaluated by the debugger, for the page's own policy lets no foreign script in
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(
    async ([within, runOnly]) => {
      const page = globalThis as unknown as { axe: typeof axe };
      const { violations } = await page.axe.run(within, { runOnly, resultTypes: ["violations"] });
      return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
    },
    [
      selector,
      only === "everything"
        ? ({ type: "tag", values: WCAG_22_AA } as const)
        : ({ type: "rule", values: COLOUR_RULES } as const),
    ] as const,
  );
}
