import { AI_KEY_NAME, AI_KEY_PREFIX, storedText } from "../stored.ts";

/** A provider by its address, as the AI settings have it. */
interface Provider {
  readonly baseUrl: string;
}

const OPENAI_ORIGIN = "https://api.openai.com";

const ofTab = () => sessionStorage;
const ofBrowser = () => localStorage;

/** Returns the entry of the key that belongs to the origin of this address. */
function keyIn(storage: () => Storage, { baseUrl }: Provider) {
  const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
  return storedText(origin === OPENAI_ORIGIN ? AI_KEY_NAME : `${AI_KEY_PREFIX}${origin}`, storage);
}

/** Returns the key saved for the origin of this address, the tab's before the browser's; null without one. */
export function readAiKey(provider: Provider): string | null {
  return keyIn(ofTab, provider).read() ?? keyIn(ofBrowser, provider).read();
}

export function isKeyOfTab(provider: Provider): boolean {
  return keyIn(ofTab, provider).read() !== null;
}

/** Stores the key for the origin of this address, either in this browser or for this tab only. */
export function saveAiKey(provider: Provider, key: string, isForTabOnly: boolean): void {
  forgetAiKey(provider);
  keyIn(isForTabOnly ? ofTab : ofBrowser, provider).write(key);
}

/** Deletes the key of this address's origin from local and session storage. */
export function forgetAiKey(provider: Provider): void {
  keyIn(ofTab, provider).remove();
  keyIn(ofBrowser, provider).remove();
}
