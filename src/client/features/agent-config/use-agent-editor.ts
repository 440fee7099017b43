import { useReducer, useState } from "react";
import type { Agent } from "../../../contract/agent.ts";
import { ERRORS } from "../../../contract/errors.ts";
import { useCreateCompleteAgent, useUpdateCompleteAgent } from "../../queries/agents.ts";
import { toastDone, toastFault, toastNote, toastProblem } from "../../lib/toast.ts";
import type { AgentForm } from "./agent-form.ts";
import { reduceAgentForm } from "./agent-form-reducer.ts";
import { checkForm, type FormProblem } from "./check-form.ts";
import { bodyOfForm, droppedSentence, saveProblem } from "./save-agent.ts";

interface EditorDeps {
  readonly address: string;
  readonly agent: Agent | null;
  /** Says whether there is a session, signing in when there is none. */
  readonly authenticate: () => Promise<boolean>;
  /** Says whether the wallet can be asked to sign; setting up a new agent's custody needs it. */
  readonly ensureWallet: () => Promise<boolean>;
  /** Returns the chat the agent belongs to, made when there is none; null when that failed. */
  readonly ensureChat: () => Promise<string | null>;
  readonly onSaved: (agent: Agent, before: Agent | null) => void;
}

/** Holds the dialog's form, checks it in the specification's order and saves it. */
export function useAgentEditor(initial: AgentForm, deps: EditorDeps) {
  const { agent } = deps;
  const [form, change] = useReducer(reduceAgentForm, initial);
  const [attempts, setAttempts] = useState(0);
  const create = useCreateCompleteAgent(deps.address);
  const update = useUpdateCompleteAgent(deps.address);
  const [isSaving, setSaving] = useState(false);

  const store = async (chatId: string) => {
    const body = bodyOfForm(form, chatId);
    return agent === null
      ? await create.mutateAsync(body)
      : await update.mutateAsync({ botId: agent.botId, body });
  };

  const run = async (): Promise<FormProblem | null> => {
    if (!(await deps.authenticate())) {
      toastProblem({
        title: ERRORS.unauthenticated.title,
        message: "Please ensure your wallet is connected and try again.",
      });
      return null;
    }
    setAttempts((count) => count + 1);
    const problem = checkForm(form);
    if (problem !== null) {
      toastFault(problem);
      return problem;
    }
    if (agent === null && !(await deps.ensureWallet())) {
      toastProblem({
        title: "Wallet Connection Required",
        message: "Please reconnect your wallet: it has to approve the set-up of a new agent.",
      });
      return null;
    }
    const chatId = agent?.chatId ?? (await deps.ensureChat());
    if (chatId === null) {
      toastProblem({ title: "Error", message: "Failed to create or retrieve a chat ID" });
      return null;
    }
    const saved = await store(chatId);
    if (saved.agent.botId === "") {
      toastProblem({
        title: "Agent Creation Error",
        message: "The agent was saved without an id.",
      });
      return null;
    }
    const left = droppedSentence(saved.dropped);
    if (left !== null) toastNote({ title: "Left out", message: left });
    else toastDone({ title: agent === null ? "Agent Created" : "Agent Updated" });
    deps.onSaved(saved.agent, agent);
    return null;
  };

  const save = async (): Promise<FormProblem | null> => {
    setSaving(true);
    try {
      return await run();
    } catch (error) {
      toastProblem(saveProblem(error, agent === null));
      return null;
    } finally {
      setSaving(false);
    }
  };

  return { form, change, save, isSaving, problem: attempts > 0 ? checkForm(form) : null };
}
