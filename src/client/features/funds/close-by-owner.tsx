import { Button } from "../../ui/button.tsx";

interface CloseByOwnerProps {
  readonly isStopping: boolean;
  readonly onClose: () => void;
}

/** Offers the owner's own closing where the trading key has not closed: it needs one signature of the wallet. */
export function CloseByOwner({ isStopping, onClose }: CloseByOwnerProps) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-warn-soft px-3 py-2 text-xs text-warn"
    >
      <span>
        {isStopping
          ? "A position is being closed. If that does not work, close it with your wallet."
          : "A position is still open. Close it before you withdraw everything."}
      </span>
      <Button size="small" onClick={onClose}>
        Close positions
      </Button>
    </div>
  );
}
