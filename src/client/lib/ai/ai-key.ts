import { storedAiKey } from "../storage.ts";
import { storedText } from "../stored.ts";

/** The key of a user who wants it gone with the tab. */
const tabKey = storedText("openai_api_key", () => sessionStorage);

/** Returns the user's key, this tab's first; null when there is none. */
export function readAiKey(): string | null {
  return tabKey.read() ?? storedAiKey.read();
}

export function isKeyOfTab(): boolean {
  return tabKey.read() !== null;
}

/** Keeps one key: in this browser, or only as long as this tab is open. */
export function saveAiKey(key: string, isForTabOnly: boolean): void {
  forgetAiKey();
  (isForTabOnly ? tabKey : storedAiKey).write(key);
}

/** Removes the key from wherever this browser holds it. */
export function forgetAiKey(): void {
  tabKey.remove();
  storedAiKey.remove();
}
