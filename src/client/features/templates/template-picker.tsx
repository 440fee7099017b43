import { LayoutTemplate } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { MarketKind } from "../../../domain/market.ts";
import { type StrategyTemplate, templatesFor } from "../../../strategy/templates.ts";
import { Button } from "../../ui/button.tsx";
import { TemplateList } from "./template-list.tsx";

interface TemplatePickerProps {
  /** Kind of the selected market; null without one. */
  readonly kind: MarketKind | null;
  readonly replaces: string | null;
  /** Renders a template's simulated result; loads nothing before the list is opened. */
  readonly resultOf: (template: StrategyTemplate) => ReactNode;
  readonly onUse: (template: StrategyTemplate) => void;
}

/** Collapsed picker of templates for alerts and rules. */
export function TemplatePicker({ kind, replaces, resultOf, onUse }: TemplatePickerProps) {
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
              resultOf={resultOf}
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
