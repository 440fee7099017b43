import { openDialog } from "../lib/dialogs.ts";
import type { Action } from "./action.ts";

export const apiKey: Action = {
  label: "API key",
  group: "Actions",
  perform: () => openDialog({ kind: "api-key" }),
};
