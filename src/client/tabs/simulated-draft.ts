import { createStore } from "zustand/vanilla";
import type { ChatId } from "../../domain/ids.ts";
import type { Network } from "../../domain/network.ts";
import type { SimulatedAgent } from "../../strategy/simulation.ts";
import type { EditedAgent } from "../features/agent/form/use-opened-agent.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Unsaved agent of the dialog, kept for its simulation and for reopening the dialog. */
export interface SimulatedDraft {
  readonly address: SignedInWallet;
  /** Id of the chat; empty when saving creates it. */
  readonly chatId: ChatId | "";
  readonly name: string;
  readonly network: Network;
  /** Agent to simulate; null while the draft is invalid. */
  readonly agent: SimulatedAgent | null;
  readonly edited: EditedAgent;
}

/** Draft kept for simulation; null without one. */
export const simulatedDraft = createStore<SimulatedDraft | null>(() => null);

type Of = Pick<SimulatedDraft, "address" | "chatId">;

/** Returns the draft when it belongs to this wallet and chat. */
export const draftOf = (draft: SimulatedDraft | null, { address, chatId }: Of) =>
  draft?.address === address && draft.chatId === chatId ? draft : null;

/** Returns whether a draft is valid: only a draft that can be saved is simulated. */
export const canSimulate = (
  draft: SimulatedDraft,
): draft is SimulatedDraft & { readonly agent: SimulatedAgent } => draft.agent !== null;

/** Keeps a draft for reopening the dialog. */
export const keepDraft = (draft: SimulatedDraft): void => simulatedDraft.setState(draft, true);

/** Discards a chat's draft after it was saved or dropped. */
export function forgetDraft(of: Of): void {
  if (draftOf(simulatedDraft.getState(), of) !== null) simulatedDraft.setState(null, true);
}
