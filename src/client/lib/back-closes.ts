import { useEffect, useRef } from "react";

/** What is open above the page, the topmost last. */
const open: (() => void)[] = [];
/** Whether the entry of the history on top was made here, for Back to take. */
let hasEntry = false;
/** Whether that entry is being left because everything was closed otherwise. */
let isReturning = false;
/** Where the page is, or goes after the entry is left. */
let address = "";
let wasPushed = false;

function onNavigate({ type }: Event): void {
  address = location.href;
  if (type !== "pushState") return;
  // Ours is below another one now, and Back finds the page as it was
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
  // The page stays where it is; what is open goes, or asks
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
    // Another one may open in its place
    queueMicrotask(leaveEntry);
  };
}

globalThis.addEventListener?.("popstate", onBack);
globalThis.addEventListener?.("pushState", onNavigate);
globalThis.addEventListener?.("replaceState", onNavigate);

/** Has Back close what is open, as Escape does, instead of changing the page behind it. */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => (isOpen ? hold(() => latest.current()) : undefined), [isOpen]);
}
