import { AlertDialog } from "../../ui/alert-dialog.tsx";

interface WithdrawBlockedDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Opens the confirmation for turning Auto-Trade off. */
  readonly onStop: () => void;
}

export function WithdrawBlockedDialog({ open, onClose, onStop }: WithdrawBlockedDialogProps) {
  return (
    <AlertDialog
      open={open}
      onClose={onClose}
      title="Cannot Withdraw - Agent is Active"
      actionLabel="OK, I'll Stop the Agent First"
      tone="primary"
      onAction={() => {
        onClose();
        onStop();
      }}
    >
      The agent is trading with this money. Turn Auto-Trade off first: its positions are closed,
      then you can withdraw.
    </AlertDialog>
  );
}
