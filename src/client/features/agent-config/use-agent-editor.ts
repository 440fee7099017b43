import { useReducer, useState } from "react";
import { ERRORS } from "../../../contract/errors.ts";
import { toastDone, toastFault, toastNote, toastProblem } from "../../lib/toast.ts";
import type { Agent } from "../../queries/agent.ts";
import type { SavedAgent } from "../../queries/save-agent.ts";
import type { AgentForm } from "./agent-form.ts";
import { reduceAgentForm } from "./agent-form-reducer.ts";
import { checkForm, type FormProblem } from "./check-form.ts";
import { describeEdits } from "./describe-changes.ts";
import { mergeForms } from "./merge-forms.ts";
import { droppedSentence, isNameTaken, saveProblem } from "./save-words.ts";
import type { OpenedAgent } from "./use-opened-agent.ts";
import { type SaveDeps, useSaveAgent } from "./use-save-agent.ts";

interface EditorDeps extends SaveDeps {
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
  const [form, change] = useReducer(reduceAgentForm, shown);
  const [attempts, setAttempts] = useState(0);
  const [taken, setTaken] = useState<string | null>(null);
  /** State saved elsewhere, set while the user resolves the conflict. */
  const [newer, setNewer] = useState<OpenedAgent | null>(null);
  const [isSaving, setSaving] = useState(false);
  const saving = useSaveAgent(deps);

  /** Validates the form; shows the first fault and from then on all faults beside their fields. */
  const check = (): FormProblem | null => {
    setAttempts((count) => count + 1);
    const problem = checkForm(form);
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
