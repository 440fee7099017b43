import { openDialog } from "../lib/dialogs.ts";
import type { Action } from "./action.ts";

export const deleteChat: Action = {
  label: "Delete chat",
  group: "Actions",
  when: ({ chat }) => chat !== undefined,
  perform: ({ chatId }) => openDialog({ kind: "delete-chat", chatId }),
};
