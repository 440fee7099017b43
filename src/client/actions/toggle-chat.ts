import { toggleChat } from "../lib/split-layout.ts";
import type { Action } from "./action.ts";

export const showOrHideChat: Action = {
  label: "Show or hide the chat",
  group: "View",
  key: { key: ".", withModifier: true, whileTyping: true, text: "Show or hide the chat" },
  perform: toggleChat,
};
