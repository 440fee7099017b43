import type { Action } from "./action.ts";

export const toggleSidebar: Action = {
  label: "Show chats and agents",
  group: "View",
  key: { key: "b", withModifier: true, whileTyping: false, text: "Show or hide the sidebar" },
  perform: (context) => context.toggleSidebar(),
};
