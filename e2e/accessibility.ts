import type { Page } from "@playwright/test";
import axe from "axe-core";

/** What axe finds wrong by WCAG 2.2 AA inside an element, one line each. */
export async function findViolations(page: Page, selector: string): Promise<readonly string[]> {
  // Evaluated by the debugger, for the page's own policy lets no foreign script in
  await page.evaluate(axe.source);
  return page.evaluate(async (within) => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const page = globalThis as unknown as { axe: typeof axe };
    const { violations } = await page.axe.run(within, { runOnly: tags });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
  }, selector);
}
