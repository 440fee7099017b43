import type { ReactNode } from "react";
import type { Agent } from "../../../queries/agent.ts";
import type { MarketKind } from "../../../../domain/market.ts";
import type { Network } from "../../../../domain/network.ts";
import type { Signal } from "../../../../domain/signal.ts";
import type { CompleteDraft } from "../../../../domain/agent-draft.ts";
import type { StrategyTemplate } from "../../../../strategy/templates.ts";
import type { AlertRow, RuleRow } from "./agent-form.ts";

/** A tab of the dialog. */
export type DialogSection = "set-up" | "rules" | "signals" | "history";

/** Market and bar interval on which conditions are evaluated. */
export interface ConditionMarket {
  readonly network: Network;
  /** For instance SOL. */
  readonly asset: string;
  readonly intervalMinutes: number;
}

/** Props of the dialog's alerts part. */
export interface AlertsPart {
  /** Market for evaluating conditions; null until asset and interval are chosen. */
  readonly market: ConditionMarket | null;
  /** Leaves the dialog without saving; its input is kept. */
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

/** Props of the dialog's templates part. */
export interface TemplatesPart {
  /** Kind of the chosen market; null without one. */
  readonly kind: MarketKind | null;
  /** Agent's own fields, used to simulate a template. */
  readonly agent: CompleteDraft["agent"];
  readonly network: Network;
  /** Names the alerts and rules a template would replace; null when there are none. */
  readonly replaces: string | null;
  readonly onUse: (template: StrategyTemplate) => void;
}

/** Props of the dialog's rules part. */
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

/** Dialog parts from other features, assembled by the workspace. */
export interface DialogParts {
  readonly alerts: (part: AlertsPart) => ReactNode;
  readonly templates: (part: TemplatesPart) => ReactNode;
  readonly rules: (part: RulesPart) => ReactNode;
  readonly signals: (agent: Agent) => ReactNode;
  /** Renders the agent's change history. */
  readonly history: (agent: Agent) => ReactNode;
  /** Renders the agent's current restriction; empty without one. */
  readonly condition: (agent: Agent) => ReactNode;
}
