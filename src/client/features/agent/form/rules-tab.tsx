import { LayoutTemplate } from "lucide-react";
import { type ReactNode, Suspense, useId, useState } from "react";
import { isIntervalInRange, parseInterval } from "../../../../domain/interval.ts";
import { findMarket, VENUE_PROFILES } from "../../../../venues/profiles.ts";
import type { ChartPreview } from "../../../lib/chart-preview.ts";
import type { Rule } from "../../../../contract/rules.ts";
import type { MarketCosts } from "../../../../contract/trading-costs.ts";
import { AlertList } from "../rules/alert-list.tsx";
import type { PreviewMarket } from "../rules/condition-preview.tsx";
import { RuleList } from "../rules/rule-list.tsx";
import {
  type AgentForm,
  type FormErrorOf,
  intervalText,
  sidesOf,
  type RuleRow,
  type FormChange,
} from "../agent-form.ts";
import { type FormProblem, planFault } from "./check-form.ts";
import { AlertDialog } from "../../../ui/alert-dialog.tsx";
import { Button } from "../../../ui/button.tsx";
import type { GalleryDraft } from "./gallery.tsx";
import { lazyPart } from "../../../ui/lazy-part.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { replacedByTemplate, starterDrafts } from "./use-template.ts";
import { nameKey } from "../../../../domain/name-key.ts";

const Gallery = lazyPart(() => import("./gallery.tsx"));
const PlanSection = lazyPart(() => import("../plan/plan-section.tsx"));

interface RulesTabProps {
  readonly form: AgentForm;
  readonly change: (change: FormChange) => void;
  readonly problem: FormProblem | null;
  /** Costs of the form's market, once they are read; only for a form with leverage. */
  readonly costs: MarketCosts | undefined;
  readonly saved: readonly Rule[];
  readonly alertText: string | null;
  /** Asks for the texts of a saved agent. */
  readonly showTexts: ReactNode;
  readonly onShowOnChart: (preview: ChartPreview) => void;
}

function marketOf(form: AgentForm): PreviewMarket | null {
  const asset = form.venue === "" ? undefined : findMarket(form.venue, form.marketId)?.asset;
  const interval = parseInterval(intervalText(form));
  if (asset === undefined || interval === null || !isIntervalInRange(interval)) return null;
  return { network: form.network, asset, intervalMinutes: interval.minutes };
}

/** Gallery of starters over the form's own market, opened on demand; using one replaces the form's alerts and rules. */
function Starters({ form, change }: Pick<RulesTabProps, "form" | "change">) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState<GalleryDraft | null>(null);
  const replaces = replacedByTemplate(form);
  const starters = starterDrafts(form);
  const own: GalleryDraft = { id: "form", name: "This draft", idea: "What stands below.", form };
  const use = (draft: GalleryDraft) => {
    setAsked(null);
    setOpen(false);
    change({ kind: "load", form: draft.form });
  };
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
          {starters.length === 0 ? (
            <p className="text-xs text-muted">Choose an asset first.</p>
          ) : (
            <Suspense fallback={<Skeleton className="h-60" />}>
              <Gallery
                drafts={replaces === null ? starters : [...starters, own]}
                onUse={(draft) =>
                  draft === own || replaces === null ? use(draft) : setAsked(draft)
                }
              />
            </Suspense>
          )}
        </div>
      )}
      <AlertDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={`Use ${asked?.name ?? ""}?`}
        actionLabel="Replace"
        onAction={() => asked && use(asked)}
      >
        It replaces {replaces}. Nothing is saved until you save the agent.
      </AlertDialog>
    </section>
  );
}

/** Returns the field of the leverage; null where the venue has none. */
function leverageOf(
  { venue, leverage, positionSizePercent }: AgentForm,
  costs: MarketCosts | undefined,
  onChange: (leverage: number) => void,
) {
  if (venue === "" || VENUE_PROFILES[venue].kind !== "perpetual") return null;
  return {
    value: leverage,
    positionSizePercent: Number(positionSizePercent),
    sides: VENUE_PROFILES[venue].sides,
    maintenancePpm: costs?.maintenancePpm,
    onChange,
  };
}

/** Tab of the agent's alerts and the rules that use them. */
export function RulesTab(props: RulesTabProps) {
  const { form, change, problem, saved, alertText, onShowOnChart } = props;
  const errorOf: FormErrorOf = (kind, key) => {
    const place = problem?.place;
    const isHere = place?.kind === kind && (!("key" in place) || place.key === key);
    return isHere ? (problem?.message ?? null) : null;
  };
  return (
    <>
      <Starters form={form} change={change} />
      <AlertList
        form={form}
        change={change}
        errorOf={errorOf}
        market={marketOf(form)}
        alertText={alertText}
        showTexts={props.showTexts}
        onShowOnChart={onShowOnChart}
      />
      <RuleList rules={withLiveCounts(form, saved)} form={form} change={change} errorOf={errorOf} />
      <Suspense fallback={<Skeleton className="h-24" />}>
        <PlanSection
          plan={form.plan}
          sides={sidesOf(form)}
          market={marketOf(form)}
          network={form.network}
          isResting={form.venue !== "" && VENUE_PROFILES[form.venue].keepsStops}
          leverage={leverageOf(form, props.costs, (leverage) =>
            change({ kind: "set", fields: { leverage } }),
          )}
          fault={planFault(form, props.costs)}
          onChange={(plan) => change({ kind: "set", fields: { plan } })}
        />
      </Suspense>
    </>
  );
}

/** Returns the form's rules with the server's latest counts, for alerts that were not renamed. */
export function withLiveCounts(form: AgentForm, saved: readonly Rule[]): readonly RuleRow[] {
  const names = new Map(form.alerts.map((alert) => [alert.key, nameKey(alert.name)]));
  return form.rules.map((rule) => {
    const conditions = saved.find((each) => each.id === rule.id)?.conditions ?? [];
    return {
      ...rule,
      triggers: rule.triggers.map((trigger) => {
        const live = conditions.find(
          (condition) => nameKey(condition.alertName) === names.get(trigger.alertKey),
        );
        return live === undefined ? trigger : { ...trigger, count: live.count };
      }),
    };
  });
}
