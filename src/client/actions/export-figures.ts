import { Download } from "lucide-react";
import { openDialog } from "../lib/dialogs.ts";
import { type Action, isSignedIn } from "./action.ts";

export const exportFigures: Action = {
  label: "Export trades and ledger",
  short: "Export",
  icon: Download,
  group: "Actions",
  when: isSignedIn,
  perform: () => openDialog({ kind: "export" }),
};
