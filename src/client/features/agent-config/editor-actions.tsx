import { FlaskRound } from "lucide-react";
import type { Agent } from "../../queries/agent.ts";
import { Button } from "../../ui/button.tsx";
import { AutoTradeSwitch } from "./auto-trade-switch.tsx";

interface EditorActionsProps {
  /** Null for an agent that does not exist yet. */
  readonly agent: Agent | null;
  readonly isSaving: boolean;
  readonly onToggleAutoTrade: () => void;
  readonly onSimulate: () => void;
  readonly onCancel: () => void;
  readonly onSubmit: () => void;
}

/** Footer of the agent dialog. */
export function EditorActions(props: EditorActionsProps) {
  const { agent, isSaving, onToggleAutoTrade, onSimulate, onCancel, onSubmit } = props;
  return (
    <>
      <div className="mr-auto">
        <AutoTradeSwitch agent={agent} onToggle={onToggleAutoTrade} />
      </div>
      <Button onClick={onSimulate} title="Simulate what stands here, saved or not">
        <FlaskRound aria-hidden />
        Simulate
      </Button>
      <Button onClick={onCancel}>Cancel</Button>
      <Button tone="primary" busy={isSaving} onClick={onSubmit}>
        {isSaving && agent === null ? "Creating..." : agent === null ? "Create" : "Save"}
      </Button>
    </>
  );
}
