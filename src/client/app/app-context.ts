import { createContext, useContext } from "react";
import type { SessionController } from "./session-controller.ts";

export const AppContext = createContext<SessionController | null>(null);

/** Connecting, signing in and disconnecting. */
export function useController(): SessionController {
  const controller = useContext(AppContext);
  if (!controller) throw new Error("AppContext is missing");
  return controller;
}
