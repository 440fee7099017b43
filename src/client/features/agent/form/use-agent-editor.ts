import { useReducer, useState } from "react";
import { ERRORS } from "../../../../contract/errors.ts";
import { toastDone, toastFault, toastNote, toastProblem } from "../../../lib/toast.ts";
import type { Agent } from "../../../../contract/agent.ts";
import {
  type SavedAgent,
  createCompleteAgent,
  updateCompleteAgent,
} from "../../../../contract/save-agent.ts";
import { getTradingCosts } from "../../../../contract/trading-costs.ts";
import { DEFAULT_VENUE } from "../../../../domain/venue-id.ts";
import { useAgentChange, useRead } from "../../../queries/read.ts";
import {
  type AgentForm,
  type AlertRow,
  type RuleRow,
  type FormChange,
  reduceAgentForm,
} from "../agent-form.ts";
import { checkForm, type FormProblem } from "./check-form.ts";
import { describeEdits } from "./difference-list.tsx";
import { type OpenedAgent, readAgain, withFreeName } from "./use-opened-agent.ts";
import { useQueryClient } from "@tanstack/react-query";
import type { ChatId } from "../../../../domain/ids.ts";
import { isApiError, describeProblem } from "../../../lib/problem.ts";
import { completeDraftOf } from "./form-draft.ts";

interface EditorDeps extends SaveDeps {
  /** Names of the wallet's other agents; a made name gets a number where one of them has it. */
  readonly takenNames: readonly string[];
  readonly onSaved: (agent: Agent, before: Agent | null) => void;
}

/** Returns the server's fault for a taken name, shown until the name changes. */
const takenName = (): FormProblem => ({
  title: ERRORS.agent_already_exists.title,
  message: ERRORS.agent_already_exists.message,
  place: { kind: "field", name: "name" },
});

function toastSaved({ dropped }: SavedAgent, isNew: boolean): void {
  const left = droppedSentence(dropped);
  if (left !== null) toastNote({ title: "Left out", message: left });
  else toastDone({ title: isNew ? "Agent Created" : "Agent Updated" });
}

/** Holds the dialog's form, validates it in the specified order and saves it. */
export function useAgentEditor(opened: OpenedAgent, shown: AgentForm, deps: EditorDeps) {
  const [base, setBase] = useState(opened);
  const [form, change] = useReducer((before: AgentForm, made: FormChange) => {
    const after = reduceAgentForm(before, made);
    const isMade = after.name !== before.name && made.kind !== "name" && made.kind !== "load";
    return isMade ? withFreeName(after, deps.takenNames) : after;
  }, shown);
  const [attempts, setAttempts] = useState(0);
  const [taken, setTaken] = useState<string | null>(null);
  /** State saved elsewhere, set while the user resolves the conflict. */
  const [newer, setNewer] = useState<OpenedAgent | null>(null);
  const [isSaving, setSaving] = useState(false);
  const saving = useSaveAgent(deps);
  const { network, venue, marketId, leverage } = form;
  const costs = useRead(
    getTradingCosts,
    { query: { network, venue: venue === "" ? DEFAULT_VENUE : venue, marketId } },
    // Only leverage is checked against the market's margin
    { enabled: leverage > 1 && venue !== "" && marketId !== "" },
  ).data;

  /** Validates the form; shows the first fault and from then on all faults beside their fields. */
  const check = (): FormProblem | null => {
    setAttempts((count) => count + 1);
    const problem = checkForm(form, costs);
    if (problem !== null) toastFault(problem);
    return problem;
  };

  const run = async (): Promise<FormProblem | null> => {
    if (!(await saving.hasSession())) return null;
    const problem = check();
    if (problem !== null) return problem;
    if (base.agent === null && !(await saving.hasWallet())) return null;
    const chatId = base.agent?.chatId ?? (await saving.findChat());
    if (chatId === null) return null;
    const stored = await saving.store(form, chatId, base);
    if ("newer" in stored) {
      setNewer(stored.newer);
      return null;
    }
    const { saved } = stored;
    if (saved.agent.id === "") {
      toastProblem({
        title: "Agent Creation Error",
        message: "The agent was saved without an id.",
      });
      return null;
    }
    toastSaved(saved, base.agent === null);
    deps.onSaved(saved.agent, base.agent);
    return null;
  };

  const save = async (): Promise<FormProblem | null> => {
    setSaving(true);
    try {
      return await run();
    } catch (error) {
      toastProblem(saveProblem(error, base.agent === null));
      if (!isNameTaken(error)) return null;
      setTaken(form.name);
      return takenName();
    } finally {
      setSaving(false);
    }
  };

  /** Ends the conflict: what was saved elsewhere becomes the base of the given form. */
  const resolve = (over: OpenedAgent, next: AgentForm) => {
    setBase(over);
    setNewer(null);
    change({ kind: "load", form: next });
  };
  const unfilled = attempts > 0 ? checkForm(form, costs) : null;

  return {
    form,
    /** State the form is compared with and saved over. */
    base,
    change,
    check,
    /** Costs of the form's market, once they are read; only for a form with leverage. */
    costs,
    save,
    isSaving,
    edits: describeEdits(base.form, form),
    problem: unfilled ?? (taken === form.name ? takenName() : null),
    conflict: newer && {
      ...conflictOf(base.form, form, newer, resolve),
      onBack: () => setNewer(null),
    },
  };
}

/** Describes what both sides changed, with the two ways to resolve it. */
function conflictOf(
  before: AgentForm,
  ours: AgentForm,
  newer: OpenedAgent,
  resolve: (over: OpenedAgent, next: AgentForm) => void,
) {
  const merged = mergeForms(before, ours, newer.form);
  return {
    theirs: describeEdits(before, newer.form),
    ours: describeEdits(before, ours),
    contested: merged.contested,
    onKeepBoth: () => resolve(newer, merged.form),
    onTakeTheirs: () => resolve(newer, newer.form),
  };
}

export type AgentFormEditor = ReturnType<typeof useAgentEditor>;

/** Result of merging two sets of changes to one form. */
interface MergedForm {
  readonly form: AgentForm;
  /** Names of conflicting changes; the form contains ours. */
  readonly contested: readonly string[];
}

const FIELDS = [
  ["Name", ["name", "replacedName"]],
  ["Venue and asset", ["venue", "marketId"]],
  ["Interval", ["interval", "customCount", "customUnit"]],
  ["Slippage", ["slippage"]],
  ["Position size", ["positionSizePercent"]],
  ["Alert age", ["maxSignalAge"]],
] as const satisfies readonly (readonly [string, readonly (keyof AgentForm)[]])[];

type Row = AlertRow | RuleRow;

/** Returns a row's content for comparison without counts, which change without an edit. */
const contentOf = (row: Row | undefined): string =>
  JSON.stringify(row, (name, value: unknown) => (name === "count" ? undefined : value)) ?? "";

/** Merges rows: ours where we changed, added or deleted one, otherwise theirs; our order, then their additions. */
function mergeRows<R extends Row>(
  label: string,
  base: readonly R[],
  ours: readonly R[],
  theirs: readonly R[],
): { readonly rows: readonly R[]; readonly contested: readonly string[] } {
  const rowOf = (rows: readonly R[], key: string) => rows.find((row) => row.key === key);
  const keys = new Set([...ours, ...theirs, ...base].map(({ key }) => key));
  const rows: R[] = [];
  const contested: string[] = [];
  for (const key of keys) {
    const [was, mine, other] = [rowOf(base, key), rowOf(ours, key), rowOf(theirs, key)];
    const [before, here, there] = [contentOf(was), contentOf(mine), contentOf(other)];
    const isOurs = here !== before;
    if (isOurs && there !== before && here !== there) contested.push(label);
    const kept = isOurs ? mine : other;
    if (kept !== undefined) rows.push(kept);
  }
  return { rows, contested };
}

/** Applies our changes to their form. Rules lose triggers whose alert was deleted. */
function mergeForms(base: AgentForm, ours: AgentForm, theirs: AgentForm): MergedForm {
  const contested: string[] = [];
  let form: AgentForm = { ...theirs, nextKey: Math.max(ours.nextKey, theirs.nextKey) };
  for (const [label, names] of FIELDS) {
    const textOf = (each: AgentForm) => JSON.stringify(names.map((name) => each[name]));
    if (textOf(ours) === textOf(base)) continue;
    if (textOf(theirs) !== textOf(base) && textOf(theirs) !== textOf(ours)) contested.push(label);
    form = { ...form, ...Object.fromEntries(names.map((name) => [name, ours[name]])) };
  }
  const alerts = mergeRows("Alert", base.alerts, ours.alerts, theirs.alerts);
  const rules = mergeRows("Rule", base.rules, ours.rules, theirs.rules);
  const known = new Set(alerts.rows.map(({ key }) => key));
  return {
    form: {
      ...form,
      alerts: alerts.rows,
      rules: rules.rows.map((rule) => ({
        ...rule,
        triggers: rule.triggers.filter(({ alertKey }) => known.has(alertKey)),
      })),
    },
    contested: [...new Set([...contested, ...alerts.contested, ...rules.contested])],
  };
}

interface SaveDeps {
  /** Resolves to whether a session exists; signs in when none does. */
  readonly authenticate: () => Promise<boolean>;
  /** Resolves to whether the wallet can sign, which a new agent's custody set-up needs. */
  readonly ensureWallet: () => Promise<boolean>;
  /** Resolves to the agent's chat, created when missing; null when that failed. */
  readonly ensureChat: () => Promise<ChatId | null>;
}

/** A saved agent, or the state that was saved elsewhere meanwhile. */
type Stored = { readonly saved: SavedAgent } | { readonly newer: OpenedAgent };

/** Returns the steps of saving an agent; each tells the user what stops it. */
function useSaveAgent(deps: SaveDeps) {
  const client = useQueryClient();
  const create = useAgentChange(createCompleteAgent);
  const update = useAgentChange(updateCompleteAgent);

  /** Stores the form over the given state, unless that was changed elsewhere in what the form edits. */
  async function store(form: AgentForm, chatId: ChatId, over: OpenedAgent): Promise<Stored> {
    const body = completeDraftOf(form, chatId);
    if (over.agent === null) return { saved: await create.mutateAsync({ body }) };
    const { id: agentId, updatedAt } = over.agent;
    try {
      return {
        saved: await update.mutateAsync({ params: { agentId }, body: { ...body, updatedAt } }),
      };
    } catch (error) {
      if (!isApiError(error, "agent_changed")) throw error;
      const newer = await readAgain(client, over.agent.owner, over.agent.chatId);
      if (newer === null || newer.agent?.updatedAt === updatedAt) throw error;
      // The conflicting change is outside the form, for instance Auto-Trade
      if (describeEdits(over.form, newer.form).length === 0) return store(form, chatId, newer);
      return { newer };
    }
  }

  async function hasSession(): Promise<boolean> {
    if (await deps.authenticate()) return true;
    toastProblem({
      title: ERRORS.unauthenticated.title,
      message: "Please ensure your wallet is connected and try again.",
    });
    return false;
  }

  async function hasWallet(): Promise<boolean> {
    if (await deps.ensureWallet()) return true;
    toastProblem({
      title: "Wallet Connection Required",
      message: "Please reconnect your wallet: it has to approve the set-up of a new agent.",
    });
    return false;
  }

  async function findChat(): Promise<ChatId | null> {
    const chatId = await deps.ensureChat();
    if (chatId === null) {
      toastProblem({ title: "Error", message: "Failed to create or retrieve a chat ID" });
    }
    return chatId;
  }

  return { store, hasSession, hasWallet, findChat };
}

const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

/** Returns one sentence about what a save dropped; null when nothing was. */
export function droppedSentence(dropped: SavedAgent["dropped"]): string | null {
  const without = (reason: "no_conditions" | "no_action") =>
    dropped.rules.filter((rule) => rule.reason === reason).length;
  const parts = [
    [dropped.alerts, "alert without a name", "alerts without a name"],
    [without("no_conditions"), "rule without alerts", "rules without alerts"],
    [without("no_action"), "rule without an action", "rules without an action"],
  ] as const;
  const words = parts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => counted(count, one, many));
  return words.length === 0 ? null : `Not saved: ${words.join(", ")}.`;
}

/** Returns whether a save was refused because of the agent's name. */
function isNameTaken(error: unknown): boolean {
  const said = error instanceof Error ? error.message.toLowerCase() : "";
  return (
    isApiError(error, "agent_already_exists") ||
    (said.includes("already exists") && said.includes("agent"))
  );
}

/** Returns the toast of a save the server refused. */
export function saveProblem(error: unknown, isNew: boolean): { title: string; message: string } {
  if (isNameTaken(error)) {
    const { title, message } = ERRORS.agent_already_exists;
    return { title, message };
  }
  const { message } = describeProblem(error);
  return {
    title: isNew ? "Creation Failed" : "Update Failed",
    message: message === "" ? "Something went wrong" : message,
  };
}
