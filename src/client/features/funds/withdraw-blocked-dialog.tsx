import { AlertDialog } from "../../ui/alert-dialog.tsx";

interface WithdrawBlockedDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

export function WithdrawBlockedDialog({ open, onClose }: WithdrawBlockedDialogProps) {
  return (
    <AlertDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Cannot Withdraw - Agent is Active"
      cancelLabel="OK, I'll Stop the Agent First"
    >
      The agent is trading with this money. Turn Auto-Trade off first: its positions are closed,
      then you can withdraw.
    </AlertDialog>
  );
}
