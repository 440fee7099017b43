import { clsx } from "clsx";
import { useEffect, useEffectEvent } from "react";
import { checkHealth, health } from "../lib/health.ts";
import { isNetworkError } from "../lib/problem.ts";
import { Button } from "./button.tsx";

interface PartFailedProps {
  readonly error: unknown;
  /** True when an earlier retry failed. */
  readonly wasTried: boolean;
  readonly isAbove: boolean;
  readonly onRetry: () => void;
  readonly onLeave: (() => void) | null;
}

/** Shows a load failure in the part's place or, for a part above the page, at the page's edge. */
export function PartFailed({ error, wasTried, isAbove, onRetry, onLeave }: PartFailedProps) {
  const wasLoading = isNetworkError(error);
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    if (!wasLoading) return;
    // The server can be away while the browser is online
    void checkHealth();
    const unfollow = health.subscribe((now, before) => {
      if (now.isOnline && !before.isOnline) retry();
    });
    return unfollow;
  }, [wasLoading]);
  return (
    <div
      role="alert"
      className={clsx(
        "flex flex-col gap-2",
        isAbove
          ? "fixed inset-x-3 bottom-16 z-50 mx-auto max-w-90 rounded-lg border border-line bg-surface p-4 shadow-pop"
          : "h-full min-h-40 items-center justify-center p-6 text-center",
      )}
    >
      <p className="text-base font-medium">
        {wasLoading ? "This part did not load" : "This part stopped working"}
      </p>
      <p className="max-w-80 text-sm text-balance text-muted">
        {wasLoading
          ? "Check your connection. The rest of the page goes on, and what you typed is still there."
          : "The rest of the page goes on. No money moved because of it."}
      </p>
      <div className="mt-2 flex gap-2">
        <Button tone="primary" onClick={onRetry}>
          Retry
        </Button>
        {wasTried && <Button onClick={() => location.reload()}>Reload page</Button>}
        {isAbove && onLeave && <Button onClick={onLeave}>Close</Button>}
      </div>
    </div>
  );
}
