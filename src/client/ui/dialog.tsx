import { Dialog as Base } from "@base-ui/react/dialog";
import { clsx } from "clsx";
import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useCloseOnBack } from "../lib/close-on-back.ts";

interface DialogProps {
  /** False for a dialog that stays in the page while it is closed. */
  readonly open?: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** Buttons, right-aligned; stay visible while the body scrolls. */
  readonly footer?: ReactNode;
  /** True when the body is text only: the body is focusable, so that keys scroll it. */
  readonly isText?: boolean;
  readonly size?: "small" | "medium" | "large" | "huge";
  /** Ignores clicks outside, so that input is not lost. */
  readonly keepOpenOutside?: boolean;
}

const WIDTHS = {
  small: "max-w-[400px]",
  medium: "max-w-[520px]",
  large: "max-w-[720px]",
  huge: "max-w-[1000px]",
};

/** Room below the dialog where the window is too narrow for a toast beside it. */
const ABOVE_TOAST =
  "max-md:pb-(--toast-top) md:pb-6 md:max-[1400px]:pb-[max(24px,var(--toast-top,0px))]";
const HUGE_ABOVE_TOAST = "md:max-[1680px]:pb-[max(24px,var(--toast-top,0px))]";

/** Returns the first field; `autoFocus` would move the focus before the dialog records where to return it. */
const firstField = (body: HTMLElement | null) =>
  body?.querySelector<HTMLElement>("[data-first-field]") ?? null;

/** Modal dialog with title bar, scrolling body and fixed footer; on phones a sheet from the bottom. */
export function Dialog(props: DialogProps) {
  const { open = true, onClose, title, description, children, footer, size = "medium" } = props;
  const bodyRef = useRef<HTMLDivElement>(null);
  useCloseOnBack(open, onClose);
  return (
    <Base.Root
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      disablePointerDismissal={props.keepOpenOutside ?? false}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-overlay transition-opacity duration-(--motion-fast) data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport
          className={clsx(
            "fixed inset-0 z-40 flex items-end justify-center pt-19 sm:items-center sm:px-6 sm:pt-6",
            ABOVE_TOAST,
            size === "huge" && HUGE_ABOVE_TOAST,
          )}
        >
          <Base.Popup
            initialFocus={(openedBy) =>
              openedBy === "touch" || (firstField(bodyRef.current) ?? true)
            }
            className={clsx(
              "fade flex max-h-full w-full flex-col overflow-hidden rounded-t-lg border border-line bg-surface shadow-dialog outline-none sm:rounded-lg",
              WIDTHS[size],
            )}
          >
            <div className="flex items-start gap-3 border-b px-4 py-3">
              <div className="min-w-0 grow">
                <Base.Title className="text-base font-semibold wrap-anywhere">{title}</Base.Title>
                {description && (
                  <Base.Description className="mt-0.5 text-xs text-muted">
                    {description}
                  </Base.Description>
                )}
              </div>
              <Base.Close
                aria-label="Close"
                className="tint -mr-1 inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
              >
                <X aria-hidden className="size-4" />
              </Base.Close>
            </div>
            <div
              ref={bodyRef}
              {...(props.isText && { role: "region", "aria-label": "Content", tabIndex: 0 })}
              className="min-h-0 grow overflow-y-auto px-4 py-4 outline-offset-[-2px]"
            >
              {children}
            </div>
            {footer && (
              <div className="flex flex-wrap items-center justify-end gap-2 border-t bg-raised px-4 py-3">
                {footer}
              </div>
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
