import { expect, type Locator, type Page } from "@playwright/test";

/** More stops than any screen or dialog has. */
const MOST_STOPS = 100;

/** What the control that has the focus is called, near enough to find it by. */
const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const at = document.activeElement;
    const labelledBy = document.getElementById(at?.getAttribute("aria-labelledby") ?? "");
    const label = at !== null && "labels" in at ? (at as HTMLInputElement).labels?.[0] : null;
    const named = labelledBy ?? label ?? at;
    return (at?.getAttribute("aria-label") ?? named?.textContent ?? "").trim();
  });

const matches = (wanted: string | RegExp, name: string): boolean =>
  typeof wanted === "string" ? name === wanted : wanted.test(name);

/** Tabs through the page until the control has the focus, as somebody without a pointer does. */
export async function walkTo(page: Page, name: string | RegExp): Promise<void> {
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if (matches(name, await focusedName(page))) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The keyboard does not reach ${String(name)}.`);
}

/** Goes to a control by keys and presses one on it. */
export async function pressAt(page: Page, name: string | RegExp, key = "Enter"): Promise<void> {
  await walkTo(page, name);
  await page.keyboard.press(key);
}

export async function expectFocusAt(page: Page, name: string | RegExp): Promise<void> {
  await expect
    .poll(async () => matches(name, await focusedName(page)), {
      message: `focus at ${String(name)}`,
    })
    .toBe(true);
}

/** Tabs once round an open dialog: the focus starts inside, never leaves, and comes back to a stop it was at. */
export async function walkRound(page: Page, dialog: Locator): Promise<void> {
  const holdsFocus = () => dialog.evaluate((box) => box.contains(document.activeElement));
  const stops = await page.evaluateHandle(() => new Set<Element | null>());
  await expect.poll(holdsFocus, { message: "focus in the dialog" }).toBe(true);
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press("Tab");
    // Past the last stop a guard outside takes the focus for a moment and sends it back
    await expect.poll(holdsFocus, { message: "focus left the dialog" }).toBe(true);
    const isBack = await stops.evaluate(
      (all, box) => {
        const at = document.activeElement;
        // The dialog takes the focus itself when it opens, which is no stop
        return at !== box && all.size === all.add(at).size;
      },
      await dialog.elementHandle(),
    );
    if (isBack) return;
  }
  throw new Error("Tab does not come round the dialog.");
}
