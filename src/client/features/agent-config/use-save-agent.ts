import { useQueryClient } from "@tanstack/react-query";
import { ERRORS } from "../../../contract/errors.ts";
import type { ChatId } from "../../../domain/ids.ts";
import { isApiError } from "../../lib/problem.ts";
import { toastProblem } from "../../lib/toast.ts";
import {
  type SavedAgent,
  useCreateCompleteAgent,
  useUpdateCompleteAgent,
} from "../../queries/save-agent.ts";
import type { AgentForm } from "./agent-form.ts";
import { describeEdits } from "./describe-changes.ts";
import { completeDraftOf } from "./form-draft.ts";
import { type OpenedAgent, readAgain } from "./use-opened-agent.ts";
import type { SignedInWallet } from "../../lib/session.ts";

export interface SaveDeps {
  readonly address: SignedInWallet;
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
export function useSaveAgent(deps: SaveDeps) {
  const client = useQueryClient();
  const create = useCreateCompleteAgent(deps.address);
  const update = useUpdateCompleteAgent(deps.address);

  /** Stores the form over the given state, unless that was changed elsewhere in what the form edits. */
  async function store(form: AgentForm, chatId: ChatId, over: OpenedAgent): Promise<Stored> {
    const body = completeDraftOf(form, chatId);
    if (over.agent === null) return { saved: await create.mutateAsync(body) };
    const { id: agentId, updatedAt } = over.agent;
    try {
      return { saved: await update.mutateAsync({ agentId, draft: { ...body, updatedAt } }) };
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
