import { LayoutTemplate } from "lucide-react";
import { Suspense, useId, useState } from "react";
import type { CompleteDraft } from "../../../domain/agent-draft.ts";
import type { Network } from "../../../domain/network.ts";
import type { MarketKind } from "../../../domain/market.ts";
import { type StrategyTemplate, templatesFor } from "../../../strategy/templates.ts";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Button } from "../../ui/button.tsx";
import { AlertDialog } from "../../ui/alert-dialog.tsx";

const TemplateResult = lazyPart(() => import("./template-result.tsx"));

interface TemplatePickerProps {
  /** Kind of the selected market; null without one. */
  readonly kind: MarketKind | null;
  /** Text of what a template would replace, for instance "2 alerts and 1 rule"; null when nothing. */
  readonly replaces: string | null;
  readonly network: Network;
  /** Agent's own fields, with which a template is simulated. */
  readonly agent: CompleteDraft["agent"];
  readonly onUse: (template: StrategyTemplate) => void;
}

/** Collapsed picker of templates for alerts and rules. */
export function TemplatePicker({ kind, replaces, onUse, ...simulated }: TemplatePickerProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <section
      aria-label="Start from a template"
      className="flex flex-col gap-3 rounded-md bg-accent-soft p-3"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="min-w-0 grow basis-56 text-xs text-muted">
          Six starters with built-in conditions and rules: no charting platform needed. Change them
          like your own.
        </p>
        <Button
          size="small"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <LayoutTemplate aria-hidden />
          {isOpen ? "Close templates" : "Start from a template"}
        </Button>
      </div>
      {isOpen && (
        <div id={id}>
          {kind === null ? (
            <p className="text-xs text-muted">Choose an asset first.</p>
          ) : (
            <TemplateList
              templates={templatesFor(kind)}
              replaces={replaces}
              {...simulated}
              onUse={(template) => {
                setOpen(false);
                onUse(template);
              }}
            />
          )}
        </div>
      )}
    </section>
  );
}

interface TemplateListProps extends Omit<TemplatePickerProps, "kind"> {
  readonly templates: readonly StrategyTemplate[];
}

/** List of templates, each with idea, weakness and simulated result. */
function TemplateList({ templates, replaces, onUse, ...simulated }: TemplateListProps) {
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
            <p className="text-xs text-muted">
              {template.idea} It sets {template.positionSizePercent}% of the free money per entry.
            </p>
            <p className="text-xs">
              <span className="font-medium text-warn">Bad at: </span>
              <span className="text-muted">{template.weakness}</span>
            </p>
            <div className="mt-auto border-t pt-1.5">
              <Suspense fallback={<Skeleton className="h-8" />}>
                <TemplateResult template={template} {...simulated} />
              </Suspense>
            </div>
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
