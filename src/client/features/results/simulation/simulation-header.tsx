import type { ReactNode } from "react";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { Select } from "../../../ui/select.tsx";
import type { Agent } from "../../../../contract/agent.ts";
import type { ChatId } from "../../../../domain/ids.ts";
import type { Network } from "../../../../domain/network.ts";
import type { ChartPreview } from "../../../lib/chart-preview.ts";
import type { SimulatedAgent } from "../../../../strategy/simulation.ts";
import type { DrawPlanFields } from "./plan-trial.tsx";

const SPANS = [
  { value: "30", label: "1 month" },
  { value: "90", label: "3 months" },
  { value: "180", label: "6 months" },
  { value: "365", label: "1 year" },
  { value: "730", label: "2 years" },
] as const;

const SOURCES = [
  { value: "conditions", label: "Its conditions" },
  { value: "received", label: "Alerts it received" },
  { value: "file", label: "TradingView file" },
] as const;

export type FiringsFrom = (typeof SOURCES)[number]["value"];

interface SimulationHeaderProps {
  readonly agent: Agent | null;
  readonly draft: AgentDraft | null;
  readonly isDraftShown: boolean;
  /** True while a plan that is not the agent's is run. */
  readonly isPlanTried: boolean;
  readonly onShowDraft: (isShown: boolean) => void;
  readonly onEdit: () => void;
  readonly source: FiringsFrom;
  readonly onSource: (source: FiringsFrom) => void;
  readonly days: string;
  readonly onDays: (days: string) => void;
  /** Further actions, shown last. */
  readonly children: ReactNode;
}

/** Header with the simulated agent, its source of firings and the length of history. */
export function SimulationHeader(props: SimulationHeaderProps) {
  const { agent, draft, isDraftShown, isPlanTried, onShowDraft, onEdit, source, onSource } = props;
  const shown = isDraftShown ? draft : agent;
  const sources = SOURCES.filter(({ value }) => value !== "received" || agent !== null);
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b px-4 py-2.5">
      <h2 className="text-sm font-medium">Simulate {shown?.name}</h2>
      {isDraftShown ? (
        <Badge tone="warn">Unsaved draft</Badge>
      ) : (
        <span className="text-xs text-muted">as it is saved</span>
      )}
      {isPlanTried && <Badge tone="warn">With the plan tried below</Badge>}
      {draft !== null && (
        <span className="flex items-center gap-2">
          {agent !== null && (
            <Segments
              label="What is simulated"
              value={isDraftShown ? "draft" : "saved"}
              options={[
                { value: "draft", label: "Draft" },
                { value: "saved", label: "Saved" },
              ]}
              onChange={(value) => onShowDraft(value === "draft")}
            />
          )}
          <Button size="small" onClick={onEdit}>
            Back to editing
          </Button>
        </span>
      )}
      <div className="flex flex-wrap items-center gap-2 sm:ml-auto">
        <Field label="Fired by" hideLabel className="w-44">
          <Select
            value={source}
            onValueChange={(next) =>
              onSource(sources.find(({ value }) => value === next)?.value ?? "conditions")
            }
            options={sources}
          />
        </Field>
        {source === "conditions" && (
          <Field label="History" hideLabel className="w-28">
            <Select value={props.days} onValueChange={props.onDays} options={SPANS} />
          </Field>
        )}
        {props.children}
      </div>
    </header>
  );
}

/** Unsaved agent of the dialog. */
export interface AgentDraft {
  readonly name: string;
  readonly network: Network;
  readonly agent: SimulatedAgent;
}

/** Props of the simulation panel. */
export interface SimulationPanelProps {
  readonly chatId: ChatId | "";
  readonly agent: Agent | null;
  /** Draft simulated instead of the saved agent, unless the user chooses the saved one. */
  readonly draft: AgentDraft | null;
  readonly network: Network;
  /** Choice of another agent, shown where this chat has none; null where there is no other. */
  readonly choice: ReactNode;
  readonly planFields: DrawPlanFields;
  /** Opens the Chart tab with a preview. */
  readonly onShowOnChart: (preview: ChartPreview) => void;
}
