import { useQueryClient } from "@tanstack/react-query";
import { useReducer, useState } from "react";
import type { Agent } from "../../queries/agent.ts";
import { ERRORS } from "../../../contract/errors.ts";
import {
  type SavedAgent,
  useCreateCompleteAgent,
  useUpdateCompleteAgent,
} from "../../queries/save-agent.ts";
import { isApiError } from "../../lib/problem.ts";
import { toastDone, toastFault, toastNote, toastProblem } from "../../lib/toast.ts";
import type { AgentForm } from "./agent-form.ts";
import { reduceAgentForm } from "./agent-form-reducer.ts";
import { checkForm, type FormProblem } from "./check-form.ts";
import { describeEdits } from "./describe-changes.ts";
import { mergeForms } from "./merge-forms.ts";
import { completeDraftOf } from "./form-draft.ts";
import { droppedSentence, isNameTaken, saveProblem } from "./save-words.ts";
import { type OpenedAgent, readAgain } from "./use-opened-agent.ts";

interface EditorDeps {
  readonly address: string;
  /** Resolves to whether a session exists; signs in when none does. */
  readonly authenticate: () => Promise<boolean>;
  /** Resolves to whether the wallet can sign, which a new agent's custody set-up needs. */
  readonly ensureWallet: () => Promise<boolean>;
  /** Resolves to the agent's chat, created when missing; null when that failed. */
  readonly ensureChat: () => Promise<string | null>;
  readonly onSaved: (agent: Agent, before: Agent | null) => void;
}

/** Returns the server's fault for a taken name, shown until the name changes. */
const takenName = (): FormProblem => ({
  title: ERRORS.agent_already_exists.title,
  message: ERRORS.agent_already_exists.message,
  place: { kind: "field", name: "name" },
});

/** Holds the dialog's form, validates it in the specified order and saves it. */
export function useAgentEditor(opened: OpenedAgent, shown: AgentForm, deps: EditorDeps) {
  const [base, setBase] = useState(opened);
  const [form, change] = useReducer(reduceAgentForm, shown);
  const [attempts, setAttempts] = useState(0);
  const [taken, setTaken] = useState<string | null>(null);
  /** State saved elsewhere, set while the user resolves the conflict. */
  const [newer, setNewer] = useState<OpenedAgent | null>(null);
  const client = useQueryClient();
  const create = useCreateCompleteAgent(deps.address);
  const update = useUpdateCompleteAgent(deps.address);
  const [isSaving, setSaving] = useState(false);

  /** Saves the draft; resolves to null on a conflict with another save. */
  const store = async (chatId: string, over: OpenedAgent): Promise<SavedAgent | null> => {
    const body = completeDraftOf(form, chatId);
    if (over.agent === null) return await create.mutateAsync(body);
    const { id: agentId, updatedAt } = over.agent;
    try {
      return await update.mutateAsync({ agentId, draft: { ...body, updatedAt } });
    } catch (error) {
      if (!isApiError(error, "agent_changed")) throw error;
      const now = await readAgain(client, over.agent.owner, over.agent.chatId);
      if (now === null || now.agent?.updatedAt === updatedAt) throw error;
      // The conflicting change is outside the form, for instance Auto-Trade
      if (describeEdits(over.form, now.form).length === 0) return await store(chatId, now);
      setNewer(now);
      return null;
    }
  };

  /** Validates the form; shows the first fault and from then on all faults beside their fields. */
  const check = (): FormProblem | null => {
    setAttempts((count) => count + 1);
    const problem = checkForm(form);
    if (problem !== null) toastFault(problem);
    return problem;
  };

  const run = async (): Promise<FormProblem | null> => {
    if (!(await deps.authenticate())) {
      toastProblem({
        title: ERRORS.unauthenticated.title,
        message: "Please ensure your wallet is connected and try again.",
      });
      return null;
    }
    const problem = check();
    if (problem !== null) return problem;
    if (base.agent === null && !(await deps.ensureWallet())) {
      toastProblem({
        title: "Wallet Connection Required",
        message: "Please reconnect your wallet: it has to approve the set-up of a new agent.",
      });
      return null;
    }
    const chatId = base.agent?.chatId ?? (await deps.ensureChat());
    if (chatId === null) {
      toastProblem({ title: "Error", message: "Failed to create or retrieve a chat ID" });
      return null;
    }
    const saved = await store(chatId, base);
    if (saved === null) return null;
    if (saved.agent.id === "") {
      toastProblem({
        title: "Agent Creation Error",
        message: "The agent was saved without an id.",
      });
      return null;
    }
    const left = droppedSentence(saved.dropped);
    if (left !== null) toastNote({ title: "Left out", message: left });
    else toastDone({ title: base.agent === null ? "Agent Created" : "Agent Updated" });
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

  const goOnWith = (next: AgentForm) => {
    if (newer !== null) setBase(newer);
    setNewer(null);
    change({ kind: "load", form: next });
  };
  const merged = newer && mergeForms(base.form, form, newer.form);
  const unfilled = attempts > 0 ? checkForm(form) : null;

  return {
    form,
    /** State the form is compared with and saved over. */
    base,
    change,
    check,
    save,
    isSaving,
    edits: describeEdits(base.form, form),
    problem: unfilled ?? (taken === form.name ? takenName() : null),
    conflict: newer &&
      merged && {
        theirs: describeEdits(base.form, newer.form),
        ours: describeEdits(base.form, form),
        contested: merged.contested,
        onKeepBoth: () => goOnWith(merged.form),
        onTakeTheirs: () => goOnWith(newer.form),
        onBack: () => setNewer(null),
      },
  };
}
