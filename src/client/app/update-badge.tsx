import { type ReactNode, useEffect, useState } from "react";
import { useStore } from "zustand";
import { health } from "../lib/health.ts";
import { Button } from "../ui/button.tsx";

const FIELDS = "textarea, input:is([type=text], [type=search], [type=password], :not([type]))";

/** Returns whether a reload would lose typed text or an open dialog. */
export function isBeingTyped(page: Document): boolean {
  if (page.querySelector("[role=dialog], [role=alertdialog], dialog[open]") !== null) return true;
  const fields = [...page.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(FIELDS)];
  return fields.some((field) => !field.readOnly && !field.disabled && field.value !== "");
}

/** Offers a reload after a new deployment; hidden while the user types. */
export function UpdateBadge() {
  const isOffered = useStore(health, ({ isOutdated, isOnline }) => isOutdated && isOnline);
  const [isTyping, setTyping] = useState(true);

  useEffect(() => {
    if (!isOffered) return;
    const look = () => setTyping(isBeingTyped(document));
    look();
    const ended = new AbortController();
    for (const event of ["input", "focusin", "focusout", "click"]) {
      document.addEventListener(event, look, { signal: ended.signal, passive: true });
    }
    const unsubscribe = health.subscribe(look);
    return () => {
      ended.abort();
      unsubscribe();
    };
  }, [isOffered]);

  return (
    <EdgeNote>
      {isOffered && !isTyping && (
        <>
          Wheelhouse was updated
          <Button size="small" tone="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        </>
      )}
    </EdgeNote>
  );
}

/** Note at the page's edge, placed so that it covers neither the message box nor the chat rail; none without content. */
export function EdgeNote({ children }: { readonly children: ReactNode }) {
  return (
    <div role="status" className="fixed right-16 bottom-27 z-50 max-md:right-3 max-md:bottom-16">
      {children && (
        <div className="flex items-center gap-2 rounded-full border border-line bg-surface py-1 pr-1 pl-3 text-xs font-medium shadow-pop">
          {children}
        </div>
      )}
    </div>
  );
}
