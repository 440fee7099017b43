import { expect, type Locator, type Page } from "@playwright/test";
import { patient } from "../test/patient.ts";

/** Upper bound of tab stops on any screen or dialog. */
const MOST_STOPS = 100;

/** Time a walk waits for controls that depend on a server answer, in milliseconds. */
const PATIENCE_MS = patient(30_000);

/** Waits until the focus is stable; opening and closing move it some frames later. */
export const restFocus = (page: Page) =>
  page.evaluate(async () => {
    for (let calm = 0; calm < 3; calm++) {
      const before = document.activeElement;
      await new Promise(requestAnimationFrame);
      if (document.activeElement !== before) calm = -1;
    }
  });

/** Returns the approximate accessible name of the focused control. */
export const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const at = document.activeElement;
    const labelledBy = document.getElementById(at?.getAttribute("aria-labelledby") ?? "");
    const label = at !== null && "labels" in at ? (at as HTMLInputElement).labels?.[0] : null;
    const named = labelledBy ?? label ?? at;
    return (at?.getAttribute("aria-label") ?? named?.textContent ?? "").trim();
  });

const matches = (wanted: string | RegExp, name: string): boolean =>
  typeof wanted === "string" ? name === wanted : wanted.test(name);

/** Presses Tab until the control has the focus. */
export async function walkTo(page: Page, name: string | RegExp): Promise<void> {
  const isAt = async () => matches(name, await focusedName(page));
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until;) {
    await restFocus(page);
    for (let stop = 0; stop < MOST_STOPS; stop++) {
      if (await isAt()) {
        await restFocus(page);
        if (await isAt()) return;
      }
      await page.keyboard.press("Tab");
    }
  }
  throw new Error(`The keyboard does not reach ${String(name)}.`);
}

/** Focuses a control by keyboard and presses a key on it. */
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

/** Returns whether the focus is on or inside an element. */
export const holdsFocus = (holder: Locator): Promise<boolean> =>
  holder.evaluate((box) => box.contains(document.activeElement));

/** Tabs once through an open dialog: the focus starts inside, never leaves, and returns to an earlier stop. */
export async function walkRound(page: Page, dialog: Locator): Promise<void> {
  const isInside = () => holdsFocus(dialog);
  const stops = await page.evaluateHandle(() => new Set<Element | null>());
  await expect.poll(isInside, { message: "focus in the dialog" }).toBe(true);
  await restFocus(page);
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press("Tab");
    // After the last stop a focus guard outside briefly has the focus
    await expect.poll(isInside, { message: "focus left the dialog" }).toBe(true);
    const isBack = await stops.evaluate(
      (all, box) => {
        const at = document.activeElement;
        // The dialog itself has the initial focus, which is not a tab stop
        return at !== box && all.size === all.add(at).size;
      },
      await dialog.elementHandle(),
    );
    if (isBack) return;
  }
  throw new Error("Tab does not come round the dialog.");
}
