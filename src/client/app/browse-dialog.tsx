import { useStore } from "zustand";
import { MarketsPage } from "../features/agent/markets-page.tsx";
import { StartersPage } from "../features/agent/form/starters-page.tsx";
import { useActionContext } from "../actions/action-context.ts";
import { type AgentFill, closeDialog, openAgentDialog } from "../lib/dialogs.ts";
import { toastNote } from "../lib/toast.ts";
import { simulatedDraft } from "../tabs/simulated-draft.ts";
import { Dialog } from "../ui/dialog.tsx";

const DESCRIPTIONS = {
  starters:
    "Ready-made alerts and rules, tried on the past of the market you choose, costs included. Using one fills the form of a new agent: nothing is saved before you create it.",
  markets: "What agents can trade, with the last 24 hours.",
} as const;

/** Dialog to look around in: all starters, or all markets. What is chosen fills the form of a new agent. */
export default function BrowseDialog({ page }: { readonly page: "starters" | "markets" }) {
  const { address, chats, network } = useActionContext();
  const draft = useStore(simulatedDraft);
  const kept = draft !== null && draft.address === address ? draft : null;
  const begin = (fill: AgentFill) => {
    if (address !== "") return openAgentDialog({ chatId: "" }, fill);
    toastNote({ title: "Sign in first", message: "Then it becomes an agent of yours." });
  };
  return (
    <Dialog
      onClose={closeDialog}
      size="huge"
      title={page === "starters" ? "Starters" : "Markets"}
      description={DESCRIPTIONS[page]}
    >
      {page === "starters" ? (
        <StartersPage
          network={network}
          agents={(chats ?? []).flatMap(({ agent }) => agent ?? [])}
          kept={kept?.edited.form ?? null}
          onUse={begin}
          onContinue={() => kept && openAgentDialog(kept)}
        />
      ) : (
        <MarketsPage
          network={network}
          onBegin={({ venue, marketId }) => begin({ kind: "market", network, venue, marketId })}
        />
      )}
    </Dialog>
  );
}
