import { openAbove } from "../lib/dialogs.ts";
import { type Action, isSignedIn } from "./action.ts";

export const closePosition: Action = {
  label: "Close position",
  group: "Actions",
  when: (context) => isSignedIn(context) && context.agent?.subAccountId !== undefined,
  perform: () => openAbove("close-position"),
};
