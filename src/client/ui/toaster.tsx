import { clsx } from "clsx";
import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useStore } from "zustand";
import { closeToast, type Toast, toasts, TOAST_MS } from "../lib/toast.ts";
import { Button } from "./button.tsx";

/** Drag distance that dismisses a toast, in pixels. */
export const SWIPE_PX = 50;

/** Key that moves the focus to the toast. */
export const TOAST_HOTKEY = "F8";

/** Custom property with the height a toast covers at the chat's end; the chat reserves it. */
const TOAST_ROOM = "--toast-room";
/** Distance from the toast's lower edge to the end of the messages plus a margin, in pixels. */
const ROOM_BELOW_PX = 28;

/** Custom property with the height up to which a toast covers the window's lower end; phones leave it free. */
const TOAST_TOP = "--toast-top";
const MARGIN_PX = 8;

const LOOKS = {
  done: { Icon: CircleCheck, tint: "text-up" },
  note: { Icon: Info, tint: "text-accent-text" },
  problem: { Icon: CircleAlert, tint: "text-down" },
} as const;

/** Shows one toast, bottom right, on phones above the navigation; problems use an assertive live region, others a polite one. */
export function Toaster() {
  const toast = useStore(toasts, (all) => all.at(-1));
  const boxRef = useRef<HTMLElement>(null);
  useEffect(() => {
    const focus = ({ key }: KeyboardEvent) => {
      if (key === TOAST_HOTKEY) boxRef.current?.querySelector("button")?.focus();
    };
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, []);
  useEffect(() => {
    const box = boxRef.current;
    if (!box) return;
    const watch = new ResizeObserver(() => {
      const { style } = document.documentElement;
      const isShown = box.offsetHeight > 0;
      const top = innerHeight - box.getBoundingClientRect().top + MARGIN_PX;
      style.setProperty(TOAST_ROOM, isShown ? `${box.offsetHeight + ROOM_BELOW_PX}px` : "0px");
      style.setProperty(TOAST_TOP, isShown ? `${top}px` : "0px");
    });
    watch.observe(box);
    return () => watch.disconnect();
  }, []);
  const isProblem = toast?.tone === "problem";
  const card = toast && <ToastCard key={toast.id} toast={toast} />;
  // Rendered outside the root's stacking context, so that toasts are above dialogs
  return createPortal(
    <section
      ref={boxRef}
      aria-label={`Notifications (${TOAST_HOTKEY})`}
      // Above the message box and beside the chat rail, which stay usable. On phones above the navigation, in room that
      // page and dialogs leave free. Beside an open dialog in the corner, so that it covers none of its buttons
      className="pointer-events-none fixed right-16 bottom-31 z-50 w-[356px] md:in-[body:has([role=dialog])]:right-4 md:in-[body:has([role=dialog])]:bottom-4 md:in-[body:has([role=dialog])]:w-80 max-md:right-2 max-md:bottom-[calc(60px+env(safe-area-inset-bottom))] max-md:w-[calc(100vw-16px)]"
    >
      <div role="status" aria-live="polite">
        {!isProblem && card}
      </div>
      <div role="alert" aria-live="assertive">
        {isProblem && card}
      </div>
    </section>,
    document.body,
  );
}

function ToastCard({ toast }: { readonly toast: Toast }) {
  const { id, title, message, tone, stays, actions } = toast;
  const [isHeld, setHeld] = useState(false);
  const [startX, setStartX] = useState<number | null>(null);
  const [shift, setShift] = useState(0);
  useEffect(() => {
    if (stays || isHeld) return;
    const timer = setTimeout(() => closeToast(id), TOAST_MS);
    return () => clearTimeout(timer);
  }, [id, stays, isHeld]);
  const { Icon, tint } = LOOKS[tone];
  const drop = () => {
    setStartX(null);
    setShift(0);
  };
  return (
    // Hover and drag are shortcuts; the close button does the same
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="group"
      aria-label={title}
      style={shift === 0 ? undefined : { translate: `${shift}px 0` }}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onPointerDown={(event) => setStartX(event.clientX)}
      onPointerMove={(event) => {
        if (startX === null || event.buttons === 0) return;
        const moved = Math.max(0, event.clientX - startX);
        if (moved >= SWIPE_PX) closeToast(id);
        else setShift(moved);
      }}
      onPointerUp={drop}
      onPointerCancel={drop}
      onKeyDown={(event) => event.key === "Escape" && closeToast(id)}
      className="pointer-events-auto flex animate-[toast-in_var(--motion-slow)_var(--ease)] touch-pan-y items-start gap-2.5 rounded-lg border border-line bg-surface py-2.5 pr-2 pl-3 shadow-pop"
    >
      <Icon aria-hidden className={clsx("mt-0.5 size-4 shrink-0", tint)} />
      <div className="min-w-0 grow">
        <p className="text-sm font-semibold text-ink">{title}</p>
        {message && <p className="text-sm wrap-break-word text-muted">{message}</p>}
        {actions !== undefined && (
          <div className="mt-2 flex flex-wrap gap-1.5">
            {actions.map(({ label, run }) => (
              <Button
                key={label}
                size="small"
                onClick={() => {
                  closeToast(id);
                  run();
                }}
              >
                {label}
              </Button>
            ))}
          </div>
        )}
      </div>
      <button
        type="button"
        aria-label="Close notification"
        onClick={() => closeToast(id)}
        className="tint inline-flex size-6 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}
