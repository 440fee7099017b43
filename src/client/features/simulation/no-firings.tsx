import { FileUp } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { FiringsFrom } from "./simulation-header.tsx";

interface NoFiringsProps {
  readonly source: FiringsFrom;
  readonly isDraft: boolean;
  readonly onOpenAgent: () => void;
  readonly onChooseFile: () => void;
}

/** Says why nothing can be replayed from the chosen source, and what to do. */
export function NoFirings({ source, isDraft, onOpenAgent, onChooseFile }: NoFiringsProps) {
  switch (source) {
    case "conditions":
      return (
        <EmptyState
          title="None of its alerts has a condition"
          action={
            <Button tone="primary" onClick={onOpenAgent}>
              {isDraft ? "Back to editing" : "Configure agent"}
            </Button>
          }
        >
          Give one a built-in condition to see what it would have done, or choose above what else
          fires its alerts: those it received, or a file of TradingView&apos;s.
        </EmptyState>
      );
    case "received":
      return (
        <EmptyState title="It received no alert yet">
          Alerts that counted are replayed here, as they came.
        </EmptyState>
      );
    case "file":
      return (
        <EmptyState
          title="No file chosen"
          action={
            <Button tone="primary" onClick={onChooseFile}>
              <FileUp aria-hidden /> Choose a file
            </Button>
          }
        >
          The alert log or the strategy tester&apos;s list of trades, exported from TradingView as
          CSV.
        </EmptyState>
      );
  }
}
