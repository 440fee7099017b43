import { AlertDialog } from "../../../ui/alert-dialog.tsx";

interface DeleteChatDialogProps {
  readonly name: string;
  readonly isBusy: boolean;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

export default function DeleteChatDialog({
  name,
  isBusy,
  onDelete,
  onClose,
}: DeleteChatDialogProps) {
  return (
    <AlertDialog
      onClose={onClose}
      title="Confirm Deletion"
      actionLabel="Delete"
      onAction={onDelete}
      busy={isBusy}
    >
      <p>
        “{name}” and its messages will be deleted. This cannot be undone. An agent that still holds
        money is not deleted: withdraw everything first.
      </p>
    </AlertDialog>
  );
}
