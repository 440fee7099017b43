import { AlertDialog as Base } from "@base-ui/react/alert-dialog";
import { type ReactNode, useRef } from "react";
import { useCloseOnBack } from "../lib/close-on-back.ts";
import { Button } from "./button.tsx";

interface AlertDialogProps {
  /** False for a dialog that stays in the page while it is closed. */
  readonly open?: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  /** Consequences of the action, with amounts. */
  readonly children: ReactNode;
  /** Label of the action, for instance "Delete"; absent shows a single button for information only. */
  readonly actionLabel?: string;
  readonly cancelLabel?: string;
  readonly onAction?: () => void;
  readonly tone?: "primary" | "danger";
  readonly busy?: boolean;
}

/** Confirmation dialog. Focus starts on Cancel; a click outside does nothing. */
export function AlertDialog(props: AlertDialogProps) {
  const { open = true, onClose, title, children, actionLabel, onAction, tone = "danger" } = props;
  const cancelRef = useRef<HTMLButtonElement>(null);
  useCloseOnBack(open, onClose);
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-50 bg-overlay transition-opacity duration-(--motion-fast) data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport className="fixed inset-0 z-50 flex items-end justify-center p-3 max-md:pb-[max(12px,var(--toast-top,0px))] sm:items-center">
          <Base.Popup
            initialFocus={cancelRef}
            className="fade flex w-full max-w-[400px] flex-col gap-2 rounded-lg border border-line bg-surface p-4 shadow-dialog outline-none"
          >
            <Base.Title className="text-base font-semibold">{title}</Base.Title>
            <Base.Description render={<div />} className="text-sm text-muted">
              {children}
            </Base.Description>
            <div className="mt-3 flex justify-end gap-2">
              <Button ref={cancelRef} onClick={onClose}>
                {props.cancelLabel ?? "Cancel"}
              </Button>
              {actionLabel && (
                <Button tone={tone} busy={props.busy ?? false} onClick={onAction}>
                  {actionLabel}
                </Button>
              )}
            </div>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
