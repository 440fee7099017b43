import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";

interface RevokeDialogProps {
  /** Open position with its unit, for instance "0.5 SOL". */
  readonly position: string;
  readonly onCloseFirst: () => void;
  readonly onRevoke: () => void;
  readonly onCancel: () => void;
}

/** Warns before revoking the trading key that an open position stays open. */
export function RevokeDialog({ position, onCloseFirst, onRevoke, onCancel }: RevokeDialogProps) {
  return (
    <Dialog
      open
      size="small"
      onOpenChange={(open) => !open && onCancel()}
      title="A position is open"
      footer={
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onCancel}>Cancel</Button>
          <Button tone="caution" onClick={onRevoke}>
            Revoke and keep it open
          </Button>
          <Button tone="primary" onClick={onCloseFirst}>
            Close it first
          </Button>
        </div>
      }
    >
      <p className="text-sm">
        The position of {position} stays open when the trading key is revoked, with its gains and
        losses. From then on only you can close it, with your wallet.
      </p>
    </Dialog>
  );
}
