import { Download } from "lucide-react";
import { PerformanceView } from "../features/results/performance/performance-view.tsx";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import type { TabProps } from "./tab-props.ts";

export default function PerformanceTab({ agent, onExport }: TabProps) {
  if (agent === null) {
    return (
      <EmptyState title="No agent selected">
        Select a chat with an agent to see what it did with its money.
      </EmptyState>
    );
  }
  return (
    <PerformanceView
      key={agent.id}
      agent={agent}
      actions={
        <Button size="small" onClick={onExport}>
          <Download aria-hidden />
          Export
        </Button>
      }
    />
  );
}
