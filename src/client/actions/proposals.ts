import { Sparkles } from "lucide-react";
import { openDialog } from "../lib/dialogs.ts";
import { type Action, isSignedIn } from "./action.ts";

export const proposals: Action = {
  label: "Proposals of assistants",
  short: "Proposals",
  icon: Sparkles,
  group: "Actions",
  when: isSignedIn,
  perform: () => openDialog({ kind: "proposals" }),
};
