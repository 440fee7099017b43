import { openAgentDialog } from "../lib/dialogs.ts";
import { type Action, isSignedIn } from "./action.ts";

export const duplicateAgent: Action = {
  label: "Duplicate agent",
  group: "Actions",
  when: (context) => isSignedIn(context) && context.agent !== null,
  perform: ({ chatId }) =>
    chatId !== "" && openAgentDialog({ chatId: "" }, { kind: "copy", chatId }),
};
