import { Button } from "../../ui/button.tsx";

interface CloseByOwnerProps {
  readonly isStopping: boolean;
  readonly onClose: () => void;
}

/** Offers to close the open position with one signature of the owner's wallet. */
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
