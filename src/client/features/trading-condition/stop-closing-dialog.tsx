import type { AgentId } from "../../../domain/ids.ts";
import { toastDone, toastError } from "../../lib/toast.ts";
import { useEndExits } from "../../queries/agents.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import type { SignedInWallet } from "../../lib/session.ts";

interface StopClosingDialogProps {
  readonly address: SignedInWallet;
  readonly agentId: AgentId;
  readonly onClose: () => void;
}

/** Confirmation before the owner ends the attempts to close open positions. */
export function StopClosingDialog({ address, agentId, onClose }: StopClosingDialogProps) {
  const end = useEndExits(address);
  const act = () =>
    end.mutate(agentId, {
      onSuccess: () => toastDone({ title: "Closing Stopped" }),
      onError: toastError,
      onSettled: onClose,
    });
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Stop Closing?"
      actionLabel="Stop closing"
      cancelLabel="Go on closing"
      busy={end.isPending}
      onAction={act}
    >
      What is still open stays open and is not closed by itself any more. An order that was sent
      already may still fill.
    </AlertDialog>
  );
}
