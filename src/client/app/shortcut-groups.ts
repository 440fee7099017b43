import type { ActionKey } from "../actions/action.ts";
import { KEYED_ACTIONS } from "../actions/keyed-actions.ts";
import { CHART_KEYS } from "../features/chart/chart-keys.ts";

interface Shortcut {
  readonly keys: readonly string[];
  readonly text: string;
}

interface ShortcutGroup {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

const MODIFIER = /mac|iphone|ipad/i.test(navigator.userAgent) ? "⌘" : "Ctrl";

const shortcutOf = ({ key, withModifier, text }: ActionKey): Shortcut => ({
  keys: [...(withModifier ? [MODIFIER] : []), key.toUpperCase()],
  text,
});

/** All keyboard shortcuts. Those without a modifier need focus in their area, with one exception. */
export const SHORTCUT_GROUPS: readonly ShortcutGroup[] = [
  {
    title: "Everywhere",
    shortcuts: [
      ...KEYED_ACTIONS.flatMap(({ key }) => (key === undefined ? [] : [shortcutOf(key)])),
      { keys: ["F8"], text: "Go to the notification on screen" },
      { keys: ["Esc"], text: "Close what is open on top" },
    ],
  },
  {
    title: "Tabs and panels",
    shortcuts: [
      { keys: ["←", "→"], text: "Next or previous tab, while a tab has the focus" },
      { keys: ["Delete"], text: "Close the focused tab" },
      { keys: ["←", "→"], text: "Move the bar before the chat by 10%" },
    ],
  },
  {
    title: "Chat",
    shortcuts: [
      { keys: ["Enter"], text: "Send the message" },
      { keys: ["Shift", "Enter"], text: "New line" },
    ],
  },
  {
    title: "Chart, while it has the focus",
    shortcuts: CHART_KEYS,
  },
];
