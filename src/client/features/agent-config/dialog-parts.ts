import type { ReactNode } from "react";
import type { Agent } from "../../queries/agent.ts";
import type { MarketKind } from "../../../domain/market.ts";
import type { Network } from "../../../domain/network.ts";
import type { Signal } from "../../../domain/signal.ts";
import type { CompleteDraft } from "../../../domain/agent-draft.ts";
import type { StrategyTemplate } from "../../../strategy/templates.ts";
import type { AlertRow, RuleRow } from "./agent-form.ts";

/** A tab of the dialog. */
export type DialogSection = "set-up" | "rules" | "signals" | "history";

/** The market and the bars an agent looks at. */
export interface ConditionMarket {
  readonly network: Network;
  /** For instance SOL. */
  readonly asset: string;
  readonly intervalMinutes: number;
}

/** What the alerts part of the dialog is given. */
export interface AlertsPart {
  /** What the conditions of alerts are evaluated on; null while it is not chosen whole. */
  readonly market: ConditionMarket | null;
  /** Leaves the dialog without saving; what stands in it is kept. */
  readonly onLeave: () => void;
  readonly alerts: readonly AlertRow[];
  readonly alertText: string | null;
  readonly error: string | null;
  readonly errorOf: (key: string) => string | null;
  readonly ruleCountOf: (key: string) => number;
  readonly onAdd: () => void;
  readonly onChange: (row: Omit<AlertRow, "id">) => void;
  readonly onDelete: (key: string) => void;
}

/** What the templates part of the dialog is given. */
export interface TemplatesPart {
  /** Of the market chosen; null while none is. */
  readonly kind: MarketKind | null;
  /** The agent's own fields, for trying a template out. */
  readonly agent: CompleteDraft["agent"];
  readonly network: Network;
  /** What choosing one would take away; null when nothing. */
  readonly replaces: string | null;
  readonly onUse: (template: StrategyTemplate) => void;
}

/** What the rules part of the dialog is given. */
export interface RulesPart {
  readonly rules: readonly RuleRow[];
  readonly alerts: readonly AlertRow[];
  readonly isSpotOnly: boolean;
  readonly errorOf: (key: string) => string | null;
  readonly onAdd: () => void;
  readonly onDelete: (key: string) => void;
  readonly onAction: (key: string, action: Signal) => void;
  readonly onToggle: (key: string, alertKey: string) => void;
  readonly onCount: (key: string, alertKey: string, count: number) => void;
  readonly onAddAlert: (key: string, name: string) => void;
}

/** Parts other features bring into the dialog; the workspace puts them together. */
export interface DialogParts {
  readonly alerts: (part: AlertsPart) => ReactNode;
  readonly templates: (part: TemplatesPart) => ReactNode;
  readonly rules: (part: RulesPart) => ReactNode;
  readonly signals: (agent: Agent) => ReactNode;
  /** What was changed of the agent, when and by whom. */
  readonly history: (agent: Agent) => ReactNode;
  /** What limits the agent at the moment; nothing when nothing does. */
  readonly condition: (agent: Agent) => ReactNode;
}
