import { openDepositDialog } from "../lib/dialogs.ts";
import { type Action, isSignedIn } from "./action.ts";

export const deposit: Action = {
  label: "Deposit",
  group: "Actions",
  when: (context) => isSignedIn(context) && context.agent !== null,
  perform: openDepositDialog,
};
