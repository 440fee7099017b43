import { useId } from "react";
import { MAX_REQUIRED_COUNT } from "../../../domain/agent-draft.ts";
import { Badge } from "../../ui/badge.tsx";

interface TriggerLineProps {
  readonly name: string;
  /** Trigger of the rule; null when the alert is not part of it. */
  readonly trigger: { readonly requiredCount: number; readonly count?: number } | null;
  readonly onToggle: () => void;
  readonly onCount: (count: number) => void;
}

export function TriggerLine({ name, trigger, onToggle, onCount }: TriggerLineProps) {
  const id = useId();
  return (
    <div className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-2">
      <span className="flex min-w-0 grow basis-40 items-center gap-2">
        <input
          id={id}
          type="checkbox"
          checked={trigger !== null}
          onChange={onToggle}
          className="size-4 shrink-0 accent-(--accent)"
        />
        <label htmlFor={id} title={name} className="min-w-0 grow truncate text-sm">
          {name}
        </label>
      </span>
      {trigger !== null && (
        <span className="flex items-center gap-2 text-xs text-muted">
          {trigger.count !== undefined && (
            <Badge tone={trigger.count >= trigger.requiredCount ? "up" : "neutral"}>
              {trigger.count} of {trigger.requiredCount}
            </Badge>
          )}
          <input
            type="number"
            min={1}
            max={MAX_REQUIRED_COUNT}
            step={1}
            value={trigger.requiredCount}
            aria-label={`How often ${name} is required`}
            onChange={(event) => {
              const count = event.target.valueAsNumber;
              if (Number.isInteger(count)) onCount(count);
            }}
            className="h-8 w-16 rounded-md border border-line-strong bg-surface px-2 text-right text-sm text-ink"
          />
          <span aria-hidden>times</span>
        </span>
      )}
    </div>
  );
}
