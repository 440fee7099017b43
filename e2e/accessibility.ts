import type { Page } from "@playwright/test";
import axe from "axe-core";

/** Rules of WCAG 2.2 AA, and axe's best practices: headings in order, one landmark of a kind, everything in one. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Rules whose result depends on the theme, which only changes colours. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Waits for animations to end, because colours between two themes have other contrasts. */
const settle = (page: Page) =>
  page.evaluate(async () => {
    const moving = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(moving.map(({ finished }) => finished));
    await new Promise(requestAnimationFrame);
  });

/** Returns axe's violations inside an element, one line each. */
export async function findViolations(
  page: Page,
  selector: string,
  only: "everything" | "colours" = "everything",
): Promise<readonly string[]> {
  await settle(page);
  // Injected through the debugger, because the page's content policy blocks foreign scripts
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(
    async ([within, runOnly]) => {
      const page = globalThis as unknown as { axe: typeof axe };
      const { violations } = await page.axe.run(within, { runOnly, resultTypes: ["violations"] });
      // A menu opens above the page and takes the focus as a dialog does, which axe excuses from landmarks
      const isInMenu = ({ target }: axe.NodeResult) =>
        document.querySelector(String(target[0]))?.closest("[role=menu]") != null;
      return violations.flatMap(({ id, nodes }) =>
        nodes
          .filter((node) => id !== "region" || !isInMenu(node))
          .map((node) => `${id}: ${node.html}`),
      );
    },
    [
      selector,
      only === "everything"
        ? ({ type: "tag", values: RULES } as const)
        : ({ type: "rule", values: COLOUR_RULES } as const),
    ] as const,
  );
}
