import { RotateCw, WifiOff } from "lucide-react";
import { useStore } from "zustand";
import { checkHealth, health } from "../lib/health.ts";

export function OfflineBadge() {
  const { isOnline, isChecking } = useStore(health);
  return (
    // Placed so that it covers neither the message box nor the chat rail
    <div role="status" className="fixed right-16 bottom-27 z-50 max-md:right-3 max-md:bottom-16">
      {!isOnline && (
        <div className="flex items-center gap-2 rounded-full border border-line bg-surface py-1 pr-1 pl-3 text-xs font-medium shadow-pop">
          <WifiOff aria-hidden className="size-4 text-down" />
          Server connection offline
          <button
            type="button"
            aria-label="Retry"
            title="Network connection issue. Click to retry."
            onClick={() => void checkHealth()}
            className="tint inline-flex size-7 items-center justify-center rounded-full hover:bg-hover"
          >
            <RotateCw aria-hidden className={`size-4 ${isChecking ? "animate-spin" : ""}`} />
          </button>
        </div>
      )}
    </div>
  );
}
