import { storedText } from "../lib/stored.ts";

interface Shortcut {
  readonly keys: readonly string[];
  readonly text: string;
}

interface ShortcutGroup {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

const MODIFIER = /mac|iphone|ipad/i.test(navigator.userAgent) ? "⌘" : "Ctrl";

/** All keyboard shortcuts. Those without a modifier need focus in their area, with one exception. */
export const SHORTCUT_GROUPS: readonly ShortcutGroup[] = [
  {
    title: "Everywhere",
    shortcuts: [
      { keys: [MODIFIER, "K"], text: "Command palette: chats, tabs, actions" },
      { keys: [MODIFIER, "B"], text: "Show or hide the sidebar" },
      { keys: ["?"], text: "This list" },
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
    shortcuts: [
      { keys: ["←", "→"], text: "Read the candles one by one" },
      { keys: ["Shift", "←", "→"], text: "Scroll" },
      { keys: ["+", "-"], text: "Zoom" },
      { keys: ["1–6"], text: "Timeframe, from 30m to 3M" },
      { keys: ["C"], text: "Candles or line" },
      { keys: ["Alt", "R"], text: "Reset the view" },
      { keys: ["Alt", "S"], text: "Save an image" },
    ],
  },
];

/** Setting for the shortcut without a modifier: speech input can trigger single letters by accident. */
const storedSingleKeys = storedText("single-key-shortcuts");

export function areSingleKeysOn(): boolean {
  return storedSingleKeys.read() !== "off";
}

export function setSingleKeys(isOn: boolean): void {
  storedSingleKeys.write(isOn ? "on" : "off");
}

type ShortcutAct = "palette" | "shortcuts" | "sidebar";

interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** True when the key was pressed in a text field. */
  readonly isTyping: boolean;
}

/** Returns the workspace action of a key; null leaves the key to the focused element. */
export function readShortcut(press: Press): ShortcutAct | null {
  const { key, ctrlKey, metaKey, altKey, isTyping } = press;
  if (altKey) return null;
  if (ctrlKey !== metaKey) {
    if (key.toLowerCase() === "k") return "palette";
    return key.toLowerCase() === "b" && !isTyping ? "sidebar" : null;
  }
  return key === "?" && !ctrlKey && !isTyping && areSingleKeysOn() ? "shortcuts" : null;
}
