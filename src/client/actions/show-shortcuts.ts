import { toggleDialog } from "../lib/dialogs.ts";
import type { Action } from "./action.ts";

export const showShortcuts: Action = {
  label: "Keyboard shortcuts",
  group: "View",
  key: { key: "?", withModifier: false, whileTyping: false, text: "This list" },
  perform: () => toggleDialog("shortcuts"),
};
