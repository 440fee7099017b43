import { openAbove } from "../lib/dialogs.ts";
import { type Action, isSignedIn } from "./action.ts";

export const autoTrade: Action = {
  label: ({ agent }) =>
    (agent?.autoTrade ?? "off") === "off" ? "Turn on Auto-Trade" : "Turn off Auto-Trade",
  group: "Actions",
  when: (context) => isSignedIn(context) && context.agent?.subAccountId !== undefined,
  perform: () => openAbove("auto-trade"),
};
