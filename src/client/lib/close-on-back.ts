import { useEffect, useRef } from "react";

/** Close functions of the open dialogs, topmost last. */
const open: (() => void)[] = [];
/** True while the current history entry is the extra one added for Back. */
let hasEntry = false;
/** True while `history.back()` removes the extra entry after all dialogs were closed otherwise. */
let isReturning = false;
/** Address to keep or restore when the extra entry is removed. */
let address = "";
let wasPushed = false;

function onNavigate({ type }: Event): void {
  address = location.href;
  if (type !== "pushState") return;
  // A navigation pushed an entry above the extra one
  if (isReturning) wasPushed = true;
  else hasEntry = false;
}

function addEntry(): void {
  history.pushState(null, "", address);
  hasEntry = true;
}

function onBack(): void {
  if (isReturning) {
    isReturning = false;
    if (location.href !== address) {
      if (wasPushed) history.pushState(null, "", address);
      else history.replaceState(null, "", address);
    }
    return;
  }
  const close = open.at(-1);
  if (!close) return;
  // Re-adds the entry to stay on the page; the dialog then closes or asks first
  addEntry();
  close();
}

function leaveEntry(): void {
  if (open.length > 0 || !hasEntry) return;
  hasEntry = false;
  isReturning = true;
  wasPushed = false;
  history.back();
}

function hold(close: () => void): () => void {
  if (open.length === 0 && !hasEntry) {
    address = location.href;
    addEntry();
  }
  open.push(close);
  return () => {
    open.splice(open.indexOf(close), 1);
    // Deferred, because another dialog may open in the same task
    queueMicrotask(leaveEntry);
  };
}

globalThis.addEventListener?.("popstate", onBack);
globalThis.addEventListener?.("pushState", onNavigate);
globalThis.addEventListener?.("replaceState", onNavigate);

/** Makes browser Back close the open dialog, as Escape does, instead of leaving the page. */
export function useCloseOnBack(isOpen: boolean, close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => (isOpen ? hold(() => latest.current()) : undefined), [isOpen]);
}
