import { Copy, Sparkles } from "lucide-react";
import { MAX_AGENT_NAME } from "../../../../domain/name-key.ts";
import { useStore } from "zustand";
import { isNetwork } from "../../../../domain/network.ts";
import { parseVenueId } from "../../../../domain/venue-id.ts";
import { VENUE_PROFILES } from "../../../../venues/profiles.ts";
import { issuerSentence, VENUE_WARNINGS } from "../../../../venues/warnings.ts";
import type { Deployment } from "../../../queries/deployment.ts";
import { openAbove } from "../../../lib/dialogs.ts";
import { favourites } from "../../../lib/favourites.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { networkLabel } from "../../../ui/badge.tsx";
import { NumberText } from "../../../ui/number-text.tsx";
import { Select } from "../../../ui/select.tsx";
import { TimeText } from "../../../ui/time-text.tsx";
import { type AgentForm, CUSTOM_INTERVAL, clearedReason, type FormChange } from "../agent-form.ts";
import { type FieldName, intervalFault, acceptsSlippage } from "./check-form.ts";
import { assetGroups, venueGroups, venueState } from "./venue-options.ts";
import { INTERVAL_PRESETS, type IntervalUnit } from "../../../../domain/interval.ts";
import { Input } from "../../../ui/input.tsx";
import { clsx } from "clsx";
import { useState } from "react";
import { formatSlippagePercent, SLIPPAGE_PRESETS_BPS } from "../../../../domain/slippage.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";

interface SetUpTabProps {
  readonly form: AgentForm;
  readonly change: (change: FormChange) => void;
  readonly errorOf: (field: FieldName) => string | null;
  readonly deployment: Deployment | undefined;
  /** True for an agent that does not exist yet: its network can still be chosen. */
  readonly isNew: boolean;
  /** Why the venue cannot be changed; null while it can. */
  readonly venueLock: string | null;
  readonly webhookUrl: string | null;
  /** Called with the reason why the new venue does not keep the asset. */
  readonly onAssetCleared: (reason: string) => void;
  /** Begins a copy of the agent; absent until it exists. */
  readonly onDuplicate: (() => void) | undefined;
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

/** Network of a new agent, where the deployment offers several. */
export function NetworkField({
  form,
  change,
  deployment,
}: Pick<SetUpTabProps, "form" | "change" | "deployment">) {
  const networks = deployment?.networks.map(({ network }) => network) ?? [];
  if (networks.length < 2) return null;
  return (
    <Field label="Network" hint="An agent stays on its network">
      <Select
        value={form.network}
        options={networks.map((value) => ({ value, label: networkLabel(value) }))}
        onValueChange={(name) => {
          if (isNetwork(name)) change({ kind: "set", fields: { network: name } });
        }}
      />
    </Field>
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
        {props.isNew && <NetworkField form={form} change={change} deployment={deployment} />}
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
            groups={assetGroups(form, useStore(favourites))}
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
          hint="Share of free collateral per entry: what no open position and no order holds"
        >
          <NumberText
            maxDecimals={0}
            unit="%"
            value={form.positionSizePercent}
            onValueChange={(positionSizePercent) =>
              change({ kind: "set", fields: { positionSizePercent } })
            }
          />
        </Field>
        <div className="sm:col-span-2">
          <SlippageField
            value={form.slippage}
            error={errorOf("slippage")}
            onChange={(slippage) => change({ kind: "set", fields: { slippage } })}
          />
        </div>
        <Field label="Alert age" error={errorOf("age")} hint="Older alerts are refused">
          <NumberText
            maxDecimals={0}
            unit="seconds"
            value={form.maxSignalAge}
            onValueChange={(maxSignalAge) => change({ kind: "set", fields: { maxSignalAge } })}
          />
        </Field>
      </section>
      <Further webhookUrl={props.webhookUrl} isNew={props.isNew} onDuplicate={props.onDuplicate} />
    </div>
  );
}

type FurtherProps = Pick<SetUpTabProps, "webhookUrl" | "isNew" | "onDuplicate">;

/** What an agent that exists can be connected with, added to and copied from. */
function Further(props: FurtherProps) {
  return (
    <section className="flex flex-col gap-4 border-t pt-5">
      <WebhookSection url={props.webhookUrl} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-xs text-muted">Let AI write down why each trade was made.</p>
        <Button
          size="small"
          disabled={props.isNew}
          title={props.isNew ? "Create the agent first" : undefined}
          onClick={() => openAbove("hypothesis")}
        >
          <Sparkles aria-hidden />
          Add Agentic-Trade
        </Button>
      </div>
      {props.onDuplicate !== undefined && (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="text-xs text-muted">
            Begin another agent with the same rules, as they are saved.
          </p>
          <Button size="small" onClick={props.onDuplicate}>
            <Copy aria-hidden />
            Duplicate
          </Button>
        </div>
      )}
    </section>
  );
}

const WORDS: Readonly<Record<IntervalUnit, readonly [string, string]>> = {
  m: ["minute", "minutes"],
  h: ["hour", "hours"],
  d: ["day", "days"],
  w: ["week", "weeks"],
};

const UNITS = [
  { value: "m", label: "Minutes" },
  { value: "h", label: "Hours" },
  { value: "d", label: "Days" },
  { value: "w", label: "Weeks" },
];

function presetLabel(preset: string): string {
  const count = preset.slice(0, -1);
  const [one, many] = WORDS[preset.slice(-1) as IntervalUnit];
  return `${count} ${count === "1" ? one : many}`;
}

const presets = (label: string, units: string) => ({
  label,
  options: INTERVAL_PRESETS.filter((preset) => units.includes(preset.slice(-1))).map((preset) => ({
    value: preset,
    label: presetLabel(preset),
  })),
});

const GROUPS = [
  presets("Minutes", "m"),
  presets("Hours", "h"),
  presets("Days", "dw"),
  { label: "Custom", options: [{ value: CUSTOM_INTERVAL, label: "Custom interval" }] },
];

interface FieldProps {
  readonly form: AgentForm;
  readonly error: string | null;
  readonly change: (change: FormChange) => void;
}

export function IntervalField({ form, error, change }: FieldProps) {
  const fault = intervalFault(form);
  const setCustom = (count: string, unit: IntervalUnit) =>
    change({ kind: "custom-interval", count, unit });
  return (
    <div className="flex flex-col gap-2">
      <Field label="Time interval" error={form.interval === CUSTOM_INTERVAL ? null : error}>
        <Select
          value={form.interval}
          groups={GROUPS}
          placeholder="Select a time horizon"
          onValueChange={(interval) => change({ kind: "interval", interval })}
        />
      </Field>
      {form.interval === CUSTOM_INTERVAL && (
        <Field label="Custom interval" error={fault ?? error} hint="From 28 minutes to 1 week">
          <div className="flex gap-2">
            <NumberText
              className="grow"
              maxDecimals={0}
              aria-label="Custom interval number"
              value={form.customCount}
              onValueChange={(count) => setCustom(count, form.customUnit)}
            />
            <Select
              className="max-w-32"
              aria-label="Custom interval unit"
              value={form.customUnit}
              options={UNITS}
              onValueChange={(unit) => setCustom(form.customCount, unit as IntervalUnit)}
            />
          </div>
        </Field>
      )}
    </div>
  );
}

/** Field of the agent's name, generated or typed; a replaced typed name can be restored. */
function NameField({ form, change, error }: FieldProps) {
  const { replacedName } = form;
  return (
    <div className="flex flex-col gap-1.5 sm:col-span-2">
      <Field label="Agent name" error={error} hint="A new asset or interval makes a new name">
        <Input
          value={form.name}
          maxLength={MAX_AGENT_NAME}
          onChange={(event) => change({ kind: "name", name: event.target.value })}
        />
      </Field>
      {replacedName !== null && (
        <Button
          size="small"
          className="max-w-full self-start"
          onClick={() => change({ kind: "name", name: replacedName })}
        >
          <span className="truncate">Keep the name {replacedName}</span>
        </Button>
      )}
    </div>
  );
}

const PRESETS = SLIPPAGE_PRESETS_BPS.map((bps) => formatSlippagePercent(bps));

interface SlippageFieldProps {
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (percent: string) => void;
}

function SlippageField({ value, error, onChange }: SlippageFieldProps) {
  const [isCustom, setCustom] = useState(!PRESETS.includes(value));
  const shown = isCustom || !PRESETS.includes(value);
  const choice = (label: string, isOn: boolean, pick: () => void) => (
    <button
      key={label}
      type="button"
      aria-pressed={isOn}
      onClick={pick}
      className={clsx(
        "tint h-8 grow rounded-md border px-3 text-sm font-medium",
        isOn
          ? "border-accent-text bg-accent-soft text-accent-text"
          : "border-line-strong bg-surface text-muted hover:text-ink",
      )}
    >
      {label}
    </button>
  );
  return (
    <Field label="Max slippage" error={error} hint="Worst price move an order accepts">
      <div className="flex flex-wrap gap-2">
        {PRESETS.map((preset) =>
          choice(`${preset}%`, !shown && preset === value, () => {
            setCustom(false);
            onChange(preset);
          }),
        )}
        {choice("Custom", shown, () => setCustom(true))}
        {shown && (
          <NumberText
            className="min-w-24 grow basis-full sm:basis-0"
            aria-label="Custom slippage in percent, 0.01 to 5"
            maxDecimals={2}
            unit="%"
            value={value}
            onValueChange={(text) => acceptsSlippage(text) && onChange(text)}
          />
        )}
      </div>
    </Field>
  );
}

/** Shows the webhook address for the charting platform; null until the agent exists. */
function WebhookSection({ url }: { readonly url: string | null }) {
  if (url === null) {
    return (
      <Field label="Webhook URL" hint="Made when the agent is created">
        <Input readOnly disabled value="" placeholder="Create the agent first" />
      </Field>
    );
  }
  return (
    <Field
      label="Webhook URL"
      hint="Paste it into the notifications of a TradingView alert. The text to send is under Alerts & rules."
    >
      <div className="flex items-center gap-1">
        <Input readOnly aria-label="Webhook URL" value={url} className="font-mono text-xs" />
        <CopyButton text={url} label="Copy webhook URL" />
      </div>
    </Field>
  );
}
