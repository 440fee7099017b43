import { useQuery } from "@tanstack/react-query";
import { useStore } from "zustand";
import { StartersPage } from "../features/agent/form/starters-page.tsx";
import { openAgentDialog } from "../lib/dialogs.ts";
import { useOwner } from "../lib/session.ts";
import { chatsQuery } from "../queries/chats.ts";
import { simulatedDraft } from "./simulated-draft.ts";
import type { TabProps } from "./tab-props.ts";

export default function StartersTab({ network }: TabProps) {
  const address = useOwner();
  const chats = useQuery(chatsQuery(address)).data ?? [];
  const draft = useStore(simulatedDraft);
  const kept = draft?.address === address ? draft : null;
  return (
    <StartersPage
      network={network}
      agents={chats.flatMap((chat) => chat.agent ?? [])}
      kept={kept?.edited.form ?? null}
      onUse={address === "" ? null : (fill) => openAgentDialog({ chatId: "" }, fill)}
      onContinue={() => kept && openAgentDialog(kept)}
    />
  );
}
