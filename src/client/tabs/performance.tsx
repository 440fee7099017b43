import { ActionButton } from "../actions/action-button.tsx";
import { exportFigures } from "../actions/export-figures.ts";
import { PerformanceView } from "../features/results/performance/performance-view.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import type { TabProps } from "./tab-props.ts";

export default function PerformanceTab({ agent }: TabProps) {
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
      actions={<ActionButton size="small" action={exportFigures} />}
    />
  );
}
