import { createPortal } from "react-dom";
import { Toaster as Sonner } from "sonner";

/** One toast at a time, bottom right, 5 s; the toasts themselves come from lib/toast.ts. */
export function Toaster({ theme }: { readonly theme: "light" | "dark" }) {
  // Outside the root's own stacking context, so that toasts lie above dialogs
  return createPortal(
    <Sonner
      theme={theme}
      position="bottom-right"
      visibleToasts={1}
      duration={5000}
      closeButton
      hotkey={["F8"]}
      // Above the message box and beside the chat rail, which stay usable
      offset={{ right: 64, bottom: 124 }}
      mobileOffset={{ bottom: 72, left: 12, right: 12 }}
      toastOptions={{
        style: {
          background: "var(--surface)",
          color: "var(--ink)",
          border: "1px solid var(--line)",
          boxShadow: "var(--shadow-pop)",
          borderRadius: "var(--radius-large)",
          font: "13px/20px var(--font)",
        },
        classNames: {
          description: "text-muted!",
          error: "[&_[data-icon]]:text-down",
          success: "[&_[data-icon]]:text-up",
          closeButton:
            "left-auto! right-2! top-2! translate-0! border-transparent! bg-transparent! text-faint! size-6!",
        },
      }}
    />,
    document.body,
  );
}
