import { createStore } from "zustand/vanilla";
import type { Network } from "../../domain/network.ts";
import type { SimulatedAgent } from "../../strategy/simulation.ts";
import type { EditedAgent } from "../features/agent-config/use-opened-agent.ts";

/** An agent as it stands in the dialog, not saved: gone on with when the dialog is opened again, and simulated until then. */
export interface SimulatedDraft {
  readonly address: string;
  /** Empty where the chat is made on save. */
  readonly chatId: string;
  readonly name: string;
  readonly network: Network;
  /** Null while it could not be saved as it stands. */
  readonly agent: SimulatedAgent | null;
  readonly edited: EditedAgent;
}

/** The draft that was left to be simulated; null when there is none. */
export const simulatedDraft = createStore<SimulatedDraft | null>(() => null);

type Of = Pick<SimulatedDraft, "address" | "chatId">;

/** Returns the draft when it belongs to this wallet and chat. */
export const draftOf = (draft: SimulatedDraft | null, { address, chatId }: Of) =>
  draft?.address === address && draft.chatId === chatId ? draft : null;

/** Says whether a draft is whole: what could not be saved is not simulated. */
export const canSimulate = (
  draft: SimulatedDraft,
): draft is SimulatedDraft & { readonly agent: SimulatedAgent } => draft.agent !== null;

/** Keeps a draft for when the dialog is opened again. */
export const keepDraft = (draft: SimulatedDraft): void => simulatedDraft.setState(draft, true);

/** Forgets a chat's draft: it was saved, or discarded. */
export function forgetDraft(of: Of): void {
  if (draftOf(simulatedDraft.getState(), of) !== null) simulatedDraft.setState(null, true);
}
