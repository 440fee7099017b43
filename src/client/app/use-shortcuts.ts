import { useEffect } from "react";
import { toggleDialog } from "../lib/dialogs.ts";
import { readShortcut } from "./shortcuts.ts";

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches("input, textarea, select, [contenteditable=true]");

/** Handles the workspace's shortcuts; they are disabled while a wallet request is shown. */
export function useShortcuts(toggleSidebar: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
      const { key, ctrlKey, metaKey, altKey } = event;
      const isTyping = isField(event.target);
      const act = readShortcut({ key, ctrlKey, metaKey, altKey, isTyping });
      if (act === null) return;
      event.preventDefault();
      if (act === "sidebar") toggleSidebar();
      else toggleDialog(act);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
}
