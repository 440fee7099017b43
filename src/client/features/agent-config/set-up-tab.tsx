import { Sparkles } from "lucide-react";
import { parseVenueId } from "../../../domain/venue-id.ts";
import { VENUE_PROFILES } from "../../../venues/profiles.ts";
import { issuerSentence, VENUE_WARNINGS } from "../../../venues/warnings.ts";
import type { Deployment } from "../../queries/deployment.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { NumberText } from "../../ui/number-text.tsx";
import { Select } from "../../ui/select.tsx";
import { TimeText } from "../../ui/time-text.tsx";
import type { AgentForm } from "./agent-form.ts";
import { clearedReason, type FormChange } from "./agent-form-reducer.ts";
import type { FieldName } from "./check-form.ts";
import { IntervalField } from "./interval-field.tsx";
import { NameField } from "./name-field.tsx";
import { SlippageField } from "./slippage-field.tsx";
import { assetGroups, venueGroups, venueState } from "./venue-options.ts";
import { WebhookSection } from "./webhook-section.tsx";

interface SetUpTabProps {
  readonly form: AgentForm;
  readonly change: (change: FormChange) => void;
  readonly errorOf: (field: FieldName) => string | null;
  readonly deployment: Deployment | undefined;
  /** Why the venue cannot be changed; null while it can. */
  readonly venueLock: string | null;
  readonly webhookUrl: string | null;
  /** Called with the reason why the new venue does not keep the asset. */
  readonly onAssetCleared: (reason: string) => void;
  /** Opens the hypothesis settings; absent until the agent exists. */
  readonly onOpenHypothesis: (() => void) | undefined;
}

/** What to know of a venue and of the tokens an agent would hold there. */
function Beforehand({
  form: { venue, marketId },
  state,
}: {
  readonly form: AgentForm;
  readonly state: ReturnType<typeof venueState>;
}) {
  if (venue === "") return null;
  const held = (state?.issued ?? []).filter(
    ({ symbol }) => symbol === state?.quoteSymbol || symbol === marketId,
  );
  return (
    <p className="text-xs text-muted sm:col-span-2">
      {[VENUE_WARNINGS[venue].beforehand, ...held.map(issuerSentence)].join(" ")}
    </p>
  );
}

export function SetUpTab(props: SetUpTabProps) {
  const { form, change, errorOf, deployment } = props;
  const health = form.venue === "" ? undefined : venueState(deployment, form.network, form.venue);
  const blocked = health !== undefined && health.status !== "available" ? health : null;
  const pickVenue = (name: string) => {
    const venue = parseVenueId(name);
    if (venue === null) return;
    const reason = clearedReason(form, venue);
    if (reason !== null) props.onAssetCleared(reason);
    change({ kind: "venue", venue });
  };
  return (
    <div className="flex flex-col gap-6">
      <section className="grid items-start gap-4 sm:grid-cols-2">
        <NameField form={form} change={change} error={errorOf("name")} />
        <Field label="Venue" error={errorOf("venue")} hint={props.venueLock ?? undefined}>
          <Select
            value={form.venue}
            groups={venueGroups(deployment, form.network)}
            placeholder="Select a venue"
            disabled={props.venueLock !== null}
            onValueChange={pickVenue}
          />
        </Field>
        <Field label="Asset" error={errorOf("market")}>
          <Select
            value={form.marketId}
            groups={assetGroups(form.venue)}
            placeholder="Select an asset"
            onValueChange={(marketId) => change({ kind: "market", marketId })}
          />
        </Field>
        {blocked && form.venue !== "" && (
          <p role="status" className="text-xs text-warn sm:col-span-2">
            {VENUE_PROFILES[form.venue].label}{" "}
            {blocked.status === "unread"
              ? "has not been read yet. It can be chosen as soon as it answers."
              : `takes no new entries: ${blocked.reason ?? blocked.status}`}
            {blocked.readAt !== undefined && (
              <>
                {" "}
                (as of <TimeText at={blocked.readAt} as="short" />)
              </>
            )}
          </p>
        )}
        <Beforehand form={form} state={health} />
        <IntervalField form={form} error={errorOf("interval")} change={change} />
        <Field
          label="Position size"
          error={errorOf("size")}
          hint="Share of free collateral per entry"
        >
          <NumberText
            maxDecimals={0}
            unit="%"
            value={form.positionSizePercent}
            onValueChange={(percent) => change({ kind: "position-size", percent })}
          />
        </Field>
        <div className="sm:col-span-2">
          <SlippageField
            value={form.slippage}
            error={errorOf("slippage")}
            onChange={(percent) => change({ kind: "slippage", percent })}
          />
        </div>
        <Field label="Alert age" error={errorOf("age")} hint="Older alerts are refused">
          <NumberText
            maxDecimals={0}
            unit="seconds"
            value={form.maxSignalAge}
            onValueChange={(seconds) => change({ kind: "max-signal-age", seconds })}
          />
        </Field>
      </section>
      <section className="flex flex-col gap-4 border-t pt-5">
        <WebhookSection url={props.webhookUrl} />
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="text-xs text-muted">Let AI write down why each trade was made.</p>
          <Button
            size="small"
            disabled={props.onOpenHypothesis === undefined}
            title={props.onOpenHypothesis === undefined ? "Create the agent first" : undefined}
            onClick={props.onOpenHypothesis}
          >
            <Sparkles aria-hidden />
            Add Agentic-Trade
          </Button>
        </div>
      </section>
    </div>
  );
}
