import { useState } from "react";
import { useStore } from "zustand";
import type { ChatId } from "../../domain/ids.ts";
import type { Agent } from "../../contract/agent.ts";
import type { EditedAgent } from "../features/agent/form/use-opened-agent.ts";
import { simulatedForm } from "../features/agent/form/form-draft.ts";
import AgentDialog from "../features/agent/form/agent-dialog.tsx";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import { showTab } from "../tabs/open-tabs.ts";
import {
  draftOf,
  forgetDraft,
  keepDraft,
  type SimulatedDraft,
  simulatedDraft,
} from "../tabs/simulated-draft.ts";
import { toastError, toastProblem } from "../lib/toast.ts";
import { useActionContext } from "../actions/action-context.ts";
import { ensureConnected } from "../wallet/ensure-connected.ts";
import type { WalletType } from "../wallet/wallet-state.ts";
import {
  type AgentFill,
  type AgentSection,
  closeDialog,
  openDepositDialog,
  openLimitsDialog,
  useDialogs,
} from "../lib/dialogs.ts";
import { CurrentCondition } from "../features/trading/current-condition.tsx";
import { showOnChart } from "../tabs/show-on-chart.ts";
import { shortenAddress } from "../lib/format.ts";
import type { WalletSession } from "../wallet/wallet-session.ts";
import type { SessionController } from "./session-controller.ts";
import type { SignedInWallet } from "../lib/session.ts";
import { wallet } from "../wallet/wallet.ts";

/**
 * Returns whether the save makes what the chain allows the trading key outdated: its limits name the old asset, or the
 * exchange account takes orders of less leverage.
 */
const areLimitsStale = (agent: Agent, before: Agent | null): boolean =>
  agent.custody?.tradingKey.isAuthorised === true &&
  before !== null &&
  (VENUE_PROFILES[agent.venue].hasSpendingLimits
    ? before.marketId !== agent.marketId
    : (agent.leverage ?? 1) > (before.leverage ?? 1));

interface AgentDialogHostProps {
  /** Id of the chat; empty when saving creates it. */
  readonly chatId: ChatId | "";
  readonly fill?: AgentFill | undefined;
  readonly section?: AgentSection | undefined;
}

/** Agent dialog of a chat; runs the follow-up steps after a save. */
export default function AgentDialogHost(props: AgentDialogHostProps) {
  const { chatId, fill, section } = props;
  const workspace = useActionContext();
  const { above } = useDialogs();
  const { address, controller } = workspace;
  const edited = draftOf(useStore(simulatedDraft), { address, chatId })?.edited;
  const [owner] = useState(() => ({ address, walletType: wallet.store.getState().type }));

  const takenNames = (workspace.chats ?? []).flatMap(({ agent }) =>
    agent && agent.chatId !== chatId ? [agent.name] : [],
  );

  function draftFrom(draft: EditedAgent): SimulatedDraft {
    const { name, network } = draft.form;
    return { address, chatId, name, network, agent: simulatedForm(draft), edited: draft };
  }

  async function ensureChat(): Promise<ChatId | null> {
    if (chatId !== "") return chatId;
    // Creating the chat puts it on screen, so a chat without an agent here is the one this dialog is for
    if (workspace.chat && !workspace.agent) return workspace.chat.id;
    try {
      return await workspace.newChat();
    } catch (error) {
      toastError(error);
      return null;
    }
  }

  return (
    <AgentDialog
      chatId={chatId === "" ? null : chatId}
      fill={fill}
      edited={edited ?? null}
      section={section ?? edited?.section}
      takenNames={takenNames}
      onShowOnChart={(preview) => showOnChart(chatId, preview)}
      renderCondition={({ id, network, trading }) => (
        <CurrentCondition
          agentId={id}
          network={network}
          condition={workspace.agent?.id === id ? workspace.agent.trading : trading}
        />
      )}
      onClose={() => {
        if (above !== "none") return;
        forgetDraft({ address: owner.address, chatId });
        closeDialog();
      }}
      authenticate={async () => address !== "" || signInAgain(controller, wallet, owner)}
      ensureChat={ensureChat}
      ensureWallet={() => ensureConnected(wallet)}
      onSimulate={(draft) => {
        keepDraft(draftFrom(draft));
        showTab("simulation");
        closeDialog();
      }}
      onKeep={(draft) => {
        keepDraft(draftFrom(draft));
        closeDialog();
      }}
      onSaved={(agent, before) => {
        forgetDraft({ address: owner.address, chatId });
        if (areLimitsStale(agent, before)) openLimitsDialog(agent);
        else if (agent.subAccountId === undefined) openDepositDialog(agent);
        else closeDialog();
      }}
    />
  );
}

/** Open form and the wallet it was opened with. */
interface FormOwner {
  /** Wallet address; empty when nobody was signed in. */
  readonly address: SignedInWallet;
  readonly walletType: WalletType | null;
}

/** Signs the open form's owner in after the session ended; resolves to whether it worked. Other wallets are refused. */
export async function signInAgain(
  controller: Pick<SessionController, "connect" | "signIn">,
  { store }: Pick<WalletSession, "store">,
  owner: FormOwner,
): Promise<boolean> {
  if (store.getState().status !== "connected" && owner.walletType !== null) {
    await controller.connect(owner.walletType);
  }
  const { address } = store.getState();
  if (address !== "" && owner.address !== "" && address !== owner.address) {
    toastProblem({
      title: "Another wallet is connected",
      message: `This form belongs to ${shortenAddress(owner.address)}. Switch your wallet back to save it.`,
    });
    return false;
  }
  return controller.signIn();
}
