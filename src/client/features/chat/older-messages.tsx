import { Button } from "../../ui/button.tsx";

interface OlderMessagesProps {
  /** Present after older messages could not be read. */
  readonly onRetry: (() => void) | null;
  /** True when the reader waits for them at the oldest message. */
  readonly isAwaited: boolean;
  /** Called after the button's click, which goes with the failure, so that the focus goes elsewhere. */
  readonly onRetried: () => void;
}

/** Note above the oldest message while older ones are loaded, or after that failed. */
export function OlderMessages({ onRetry, isAwaited, onRetried }: OlderMessagesProps) {
  if (onRetry !== null) {
    return (
      <div role="alert" className="absolute inset-x-2 top-2 flex justify-center">
        <p className="flex items-center gap-2 rounded-md border bg-raised py-1 pr-1 pl-3 text-xs shadow-pop">
          Older messages could not be loaded.
          <Button
            size="small"
            onClick={() => {
              onRetry();
              onRetried();
            }}
          >
            Try again
          </Button>
        </p>
      </div>
    );
  }
  if (!isAwaited) return null;
  return (
    <p
      role="status"
      className="absolute top-2 left-1/2 -translate-x-1/2 rounded-md border bg-raised px-3 py-1 text-xs text-muted shadow-pop"
    >
      Loading older messages…
    </p>
  );
}
