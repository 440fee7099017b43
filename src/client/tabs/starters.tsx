import { useQuery } from "@tanstack/react-query";
import { useStore } from "zustand";
import { StartersPage } from "../features/agent/gallery/starters-page.tsx";
import { openAgentDialog } from "../lib/dialogs.ts";
import { useOwner } from "../lib/session.ts";
import { chatsQuery } from "../queries/chats.ts";
import { simulatedDraft } from "./simulated-draft.ts";
import type { TabProps } from "./tab-props.ts";

export default function StartersTab({ chatId, agent, network }: TabProps) {
  const address = useOwner();
  const chats = useQuery(chatsQuery(address)).data ?? [];
  const draft = useStore(simulatedDraft);
  const kept = draft?.address === address ? draft : null;
  // A chat that has an agent keeps it: what is used here becomes an agent of its own
  const begin = { chatId: agent === null ? chatId : ("" as const) };
  return (
    <StartersPage
      network={network}
      agents={chats.flatMap((chat) => chat.agent ?? [])}
      kept={kept?.edited.form ?? null}
      onUse={address === "" ? null : (fill) => openAgentDialog(begin, fill)}
      onContinue={() => kept && openAgentDialog(kept)}
    />
  );
}
