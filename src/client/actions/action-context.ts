import { createContext, useContext } from "react";
import type { ActionContext } from "./action.ts";

export const WorkspaceActions = createContext<ActionContext | null>(null);

/** Returns what actions are performed on: the workspace around the caller. */
export function useActionContext(): ActionContext {
  const context = useContext(WorkspaceActions);
  if (!context) throw new Error("WorkspaceActions is missing");
  return context;
}
