import { useState } from "react";
import { toastError } from "../../lib/toast.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";

interface DeleteMessageDialogProps {
  readonly isMine: boolean;
  readonly onDelete: () => Promise<void>;
  readonly onClose: () => void;
}

export default function DeleteMessageDialog({
  isMine,
  onDelete,
  onClose,
}: DeleteMessageDialogProps) {
  const [isBusy, setBusy] = useState(false);
  async function run(): Promise<void> {
    setBusy(true);
    try {
      await onDelete();
      onClose();
    } catch (error) {
      setBusy(false);
      toastError(error);
    }
  }
  return (
    <AlertDialog
      onClose={onClose}
      title="Delete this message?"
      actionLabel="Delete"
      onAction={() => void run()}
      busy={isBusy}
    >
      <p>
        {isMine ? "Your message" : "The answer"} is deleted for good, here and on the server. The
        rest of the chat stays, and the assistant no longer sees it.
      </p>
    </AlertDialog>
  );
}
