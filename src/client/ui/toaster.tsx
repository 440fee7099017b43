import { Toaster as Sonner } from "sonner";

/** One toast at a time, bottom right, 5 s; the toasts themselves come from lib/toast.ts. */
export function Toaster({ theme }: { readonly theme: "light" | "dark" }) {
  return (
    <Sonner
      theme={theme}
      position="bottom-right"
      visibleToasts={1}
      duration={5000}
      closeButton
      hotkey={["F8"]}
      offset={16}
      mobileOffset={{ bottom: 64, left: 12, right: 12 }}
      toastOptions={{
        style: {
          background: "var(--surface)",
          color: "var(--ink)",
          border: "1px solid var(--line)",
          boxShadow: "var(--shadow-pop)",
          borderRadius: "var(--radius-l)",
          font: "13px/20px var(--font)",
        },
        classNames: {
          description: "text-muted!",
          error: "[&_[data-icon]]:text-down",
          success: "[&_[data-icon]]:text-up",
        },
      }}
    />
  );
}
