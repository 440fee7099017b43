import { storedText, storedAiKey } from "../stored.ts";

/** Key kept in session storage, for users who want it deleted with the tab. */
const tabKey = storedText("openai_api_key", () => sessionStorage);

/** Returns the user's key, the tab's key before the browser's; null without one. */
export function readAiKey(): string | null {
  return tabKey.read() ?? storedAiKey.read();
}

export function isKeyOfTab(): boolean {
  return tabKey.read() !== null;
}

/** Stores the key, either in this browser or for this tab only. */
export function saveAiKey(key: string, isForTabOnly: boolean): void {
  forgetAiKey();
  (isForTabOnly ? tabKey : storedAiKey).write(key);
}

/** Deletes the key from local and session storage. */
export function forgetAiKey(): void {
  tabKey.remove();
  storedAiKey.remove();
}
