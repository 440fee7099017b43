import { ASSETS } from "../../../../venues/profiles.ts";
import { Zap } from "lucide-react";
import { Suspense, useId, useState } from "react";
import { checkCondition } from "../../../../domain/condition/check-condition.ts";
import type { AlertCondition as Condition } from "../../../../domain/condition/condition.ts";
import { firingText } from "../../../../domain/condition/firing-text.ts";
import type { ChartPreview } from "../../../lib/chart-preview.ts";
import { Button } from "../../../ui/button.tsx";
import { lazyPart } from "../../../ui/lazy-part.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { FIRST_CONDITION } from "./condition-changes.ts";
import { ConditionForm } from "./condition-form.tsx";
import type { PreviewMarket } from "./condition-preview.tsx";

const ConditionPreview = lazyPart(() => import("./condition-preview.tsx"));

interface AlertConditionProps {
  /** Display name of the alert. */
  readonly called: string;
  readonly condition: Condition | null;
  readonly onChange: (condition: Condition | null) => void;
  /** Market of the preview; null until asset and interval are chosen. */
  readonly market: PreviewMarket | null;
  /** Opens the Chart tab with the condition's past firings. */
  readonly onShowOnChart: (preview: ChartPreview) => void;
}

/** Condition of one alert as a sentence, with an editor on demand. */
export function AlertCondition(props: AlertConditionProps) {
  const { called, condition, onChange, market, onShowOnChart } = props;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  if (condition === null) {
    return (
      <Button
        size="small"
        tone="ghost"
        className="self-start"
        aria-label={`Add a built-in condition to ${called}`}
        onClick={() => {
          onChange(FIRST_CONDITION);
          setOpen(true);
        }}
      >
        <Zap aria-hidden />
        Add a built-in condition
      </Button>
    );
  }
  const fault = checkCondition(condition, market?.intervalMinutes ?? null, ASSETS);
  return (
    <section aria-label={`Condition of ${called}`} className="flex flex-col gap-2">
      <div className="flex items-start gap-2">
        <Zap aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-text" />
        <p className="min-w-0 grow text-sm wrap-break-word" aria-live={isOpen ? "polite" : "off"}>
          {fault === null ? (
            `Fires ${firingText(condition)}`
          ) : (
            <span className="text-down">Not finished: {fault.reason}</span>
          )}
        </p>
        <Button
          size="small"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          aria-label={`${isOpen ? "Close" : "Edit"} condition of ${called}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Close" : "Edit"}
        </Button>
      </div>
      {isOpen && (
        <div id={id} className="flex flex-col gap-3 border-t pt-3">
          <ConditionForm
            condition={condition}
            intervalMinutes={market?.intervalMinutes ?? null}
            onChange={onChange}
          />
          {fault === null && market !== null && (
            <Suspense fallback={<Skeleton className="h-36" />}>
              <ConditionPreview {...market} condition={condition} onShowOnChart={onShowOnChart} />
            </Suspense>
          )}
          {fault === null && market === null && (
            <p className="text-xs text-muted">
              Choose an asset and an interval to see where it would have fired.
            </p>
          )}
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p className="min-w-0 grow basis-56 text-xs text-muted">
              Fired here, on closed bars of the agent's interval only. It may still be fired from
              outside with the alert's text.
            </p>
            <Button size="small" tone="caution" onClick={() => onChange(null)}>
              Remove condition
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}
