import { Bell } from "lucide-react";
import { openDialog } from "../lib/dialogs.ts";
import { type Action, isSignedIn } from "./action.ts";

export const notices: Action = {
  label: "Notices",
  icon: Bell,
  when: isSignedIn,
  perform: () => openDialog({ kind: "notices" }),
};
