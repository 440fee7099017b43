import { storedText } from "../lib/stored.ts";
import type { Action } from "./action.ts";
import { showShortcuts } from "./show-shortcuts.ts";
import { togglePalette } from "./toggle-palette.ts";
import { showOrHideChat } from "./toggle-chat.ts";
import { toggleSidebar } from "./toggle-sidebar.ts";

/** Actions with a shortcut that works everywhere; apart from the whole list because the first load needs them. */
export const KEYED_ACTIONS: readonly Action[] = [
  togglePalette,
  toggleSidebar,
  showOrHideChat,
  showShortcuts,
];

/** Setting for shortcuts without a modifier: speech input can trigger single letters by accident. */
const storedSingleKeys = storedText("single-key-shortcuts");

export function areSingleKeysOn(): boolean {
  return storedSingleKeys.read() !== "off";
}

export function setSingleKeys(isOn: boolean): void {
  storedSingleKeys.write(isOn ? "on" : "off");
}

interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** True when the key was pressed in a text field. */
  readonly isTyping: boolean;
}

/** Returns the action of a key; undefined leaves the key to the focused element. */
export function actionOfKey(press: Press): Action | undefined {
  const { ctrlKey, metaKey, altKey, isTyping } = press;
  if (altKey || (ctrlKey && metaKey)) return undefined;
  const hasModifier = ctrlKey || metaKey;
  if (!hasModifier && !areSingleKeysOn()) return undefined;
  return KEYED_ACTIONS.find(
    ({ key }) =>
      key?.key === press.key.toLowerCase() &&
      key.withModifier === hasModifier &&
      (key.whileTyping || !isTyping),
  );
}
