import { openAgentDialog } from "../lib/dialogs.ts";
import { type Action, isSignedIn } from "./action.ts";

export const configureAgent: Action = {
  label: ({ agent }) => (agent ? "Configure agent" : "Create agent"),
  group: "Actions",
  when: (context) => isSignedIn(context) && (context.agent !== null || context.chatId !== ""),
  perform: openAgentDialog,
};
