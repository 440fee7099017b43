import { useState } from "react";
import type { ReactNode } from "react";
import type { StrategyTemplate } from "../../../strategy/templates.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Button } from "../../ui/button.tsx";

interface TemplateListProps {
  readonly templates: readonly StrategyTemplate[];
  /** Text of what a template would replace, for instance "2 alerts and 1 rule"; null when nothing. */
  readonly replaces: string | null;
  /** Renders a template's simulated result. */
  readonly resultOf: (template: StrategyTemplate) => ReactNode;
  readonly onUse: (template: StrategyTemplate) => void;
}

/** List of templates, each with idea, weakness and simulated result. */
export function TemplateList({ templates, replaces, resultOf, onUse }: TemplateListProps) {
  const [asked, setAsked] = useState<StrategyTemplate | null>(null);
  return (
    <>
      <ul aria-label="Templates" className="grid gap-2 sm:grid-cols-2">
        {templates.map((template) => (
          <li
            key={template.id}
            className="flex flex-col gap-1.5 rounded-md border border-line bg-surface p-3"
          >
            <div className="flex items-start justify-between gap-2">
              <h4 className="text-sm font-semibold">{template.name}</h4>
              <Button
                size="small"
                aria-label={`Use ${template.name}`}
                onClick={() => (replaces === null ? onUse(template) : setAsked(template))}
              >
                Use
              </Button>
            </div>
            <p className="text-xs text-muted">{template.idea}</p>
            <p className="text-xs">
              <span className="font-medium text-warn">Bad at: </span>
              <span className="text-muted">{template.weakness}</span>
            </p>
            <div className="mt-auto border-t pt-1.5">{resultOf(template)}</div>
          </li>
        ))}
      </ul>
      <AlertDialog
        open={asked !== null}
        onOpenChange={(open) => !open && setAsked(null)}
        title={`Use ${asked?.name ?? ""}?`}
        actionLabel="Replace"
        onAction={() => {
          if (asked !== null) onUse(asked);
          setAsked(null);
        }}
      >
        It replaces {replaces}. Nothing is saved until you save the agent.
      </AlertDialog>
    </>
  );
}
