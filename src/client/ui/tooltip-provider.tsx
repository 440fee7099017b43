import {
  type CSSProperties,
  type ReactNode,
  useEffect,
  useState,
  cloneElement,
  type ReactElement,
} from "react";
import { createPortal } from "react-dom";

/** Delay before the first tooltip in milliseconds; adjacent ones then follow at once. */
export const TOOLTIP_DELAY_MS = 700;
const NEIGHBOUR_MS = 400;

interface Shown {
  readonly label: string;
  readonly style: CSSProperties;
}

function place(anchor: HTMLElement): CSSProperties {
  const { top, bottom, left, width, height } = anchor.getBoundingClientRect();
  if (anchor.dataset["tooltipSide"] === "left") {
    return { right: innerWidth - left + 6, top: top + height / 2, translate: "0 -50%" };
  }
  const middle = left + width / 2;
  const isAbove = bottom + 40 > innerHeight;
  return {
    ...(isAbove ? { bottom: innerHeight - top + 6 } : { top: bottom + 6 }),
    ...(middle > innerWidth - 80
      ? { right: Math.max(8, innerWidth - left - width) }
      : middle < 80
        ? { left: Math.max(8, left) }
        : { left: middle, translate: "-50% 0" }),
  };
}

/** Shows the tooltip of the hovered or keyboard-focused element; Escape hides it. */
export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<Shown | null>(null);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hiddenAt = 0;
    let current: HTMLElement | null = null;
    const hide = () => {
      clearTimeout(timer);
      if (current) hiddenAt = performance.now();
      current = null;
      setShown(null);
    };
    const show = (event: Event) => {
      const target = event.target instanceof Element ? event.target : null;
      const anchor = target?.closest<HTMLElement>("[data-tooltip]") ?? null;
      if (anchor === current) return;
      if (!anchor || (event.type === "focusin" && !anchor.matches(":focus-visible"))) {
        hide();
        return;
      }
      clearTimeout(timer);
      current = anchor;
      const isNeighbour = performance.now() - hiddenAt < NEIGHBOUR_MS && hiddenAt > 0;
      timer = setTimeout(
        () => {
          if (!anchor.isConnected) return;
          setShown({ label: anchor.dataset["tooltip"] ?? "", style: place(anchor) });
        },
        isNeighbour ? 0 : TOOLTIP_DELAY_MS,
      );
    };
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && hide();
    const events: [string, (event: never) => void][] = [
      ["pointerover", show],
      ["focusin", show],
      ["focusout", hide],
      ["pointerdown", hide],
      ["scroll", hide],
      ["keydown", onKey],
    ];
    for (const [name, act] of events) document.addEventListener(name, act as EventListener, true);
    return () => {
      clearTimeout(timer);
      for (const [name, act] of events) {
        document.removeEventListener(name, act as EventListener, true);
      }
    };
  }, []);

  return (
    <>
      {children}
      {shown &&
        createPortal(
          <div
            role="tooltip"
            style={shown.style}
            className="pointer-events-none fixed z-50 max-w-64 animate-[tooltip-in_var(--motion-fast)_var(--ease)] rounded-sm border border-line bg-surface px-2 py-1 text-xs text-ink shadow-pop"
          >
            {shown.label}
          </div>,
          document.body,
        )}
    </>
  );
}

interface TooltipProps {
  readonly label: string;
  readonly side?: "bottom" | "left";
  readonly children: ReactElement<Record<string, unknown>>;
}

/** Marks its child for the tooltip layer of tooltip-provider.tsx, which shows the text after 700 ms. */
export function Tooltip({ label, side = "bottom", children }: TooltipProps) {
  return cloneElement(children, { "data-tooltip": label, "data-tooltip-side": side });
}
