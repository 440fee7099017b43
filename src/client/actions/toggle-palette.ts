import { Search } from "lucide-react";
import { toggleDialog } from "../lib/dialogs.ts";
import type { Action } from "./action.ts";

export const togglePalette: Action = {
  label: "Command palette",
  icon: Search,
  key: {
    key: "k",
    withModifier: true,
    whileTyping: true,
    text: "Command palette: chats, tabs, actions",
  },
  perform: () => toggleDialog("palette"),
};
