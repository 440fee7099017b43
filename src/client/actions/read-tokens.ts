import { KeyRound } from "lucide-react";
import { openDialog } from "../lib/dialogs.ts";
import { type Action, isSignedIn } from "./action.ts";

export const readTokens: Action = {
  label: "Read-only tokens",
  short: "Read tokens",
  icon: KeyRound,
  group: "Actions",
  when: isSignedIn,
  perform: () => openDialog({ kind: "read-tokens" }),
};
