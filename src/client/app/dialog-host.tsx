import { lazy, Suspense, useMemo } from "react";
import { useStoppingNotice } from "../features/auto-trade/use-stopping-notice.ts";
import { chatName } from "../features/chats/group-chats.ts";
import { closeAbove, closeDialog, type OpenDialog, useDialogs } from "./dialogs.ts";
import type { WorkspaceData } from "./use-workspace.ts";

const AgentDialogSlot = lazy(() => import("./agent-dialog-slot.tsx"));
const MoneyDialogSlot = lazy(() => import("./money-dialog-slot.tsx"));
const LimitsSlot = lazy(() => import("./limits-slot.tsx"));
const ApprovalSlot = lazy(() => import("./approval-slot.tsx"));
const Palette = lazy(() => import("./palette.tsx"));
const ShortcutsDialog = lazy(() => import("./shortcuts-dialog.tsx"));
const ApiKeyDialog = lazy(() => import("../features/chat/api-key-dialog.tsx"));
const AutoTradeDialog = lazy(() => import("../features/auto-trade/auto-trade-dialog.tsx"));
const DeleteAgentSlot = lazy(() => import("./delete-agent-slot.tsx"));
const DeleteChatDialog = lazy(() => import("../features/chats/delete-chat-dialog.tsx"));
const HypothesisDialog = lazy(() => import("../features/hypotheses/hypothesis-dialog.tsx"));
const WalletRequiredDialog = lazy(
  () => import("../features/wallet-menu/wallet-required-dialog.tsx"),
);

interface DialogHostProps {
  readonly workspace: WorkspaceData;
  readonly toggleSidebar: () => void;
}

function contentOf(open: OpenDialog, { workspace, toggleSidebar }: DialogHostProps) {
  switch (open.kind) {
    case "none":
      return null;
    case "api-key":
      return <ApiKeyDialog onClose={closeDialog} />;
    case "wallet-required":
      return <WalletRequiredDialog onClose={closeDialog} />;
    case "palette":
      return <Palette workspace={workspace} toggleSidebar={toggleSidebar} />;
    case "shortcuts":
      return <ShortcutsDialog onClose={closeDialog} />;
    case "approval":
      return (
        <ApprovalSlot
          address={workspace.address}
          chatId={open.chatId}
          transactionId={open.transactionId}
        />
      );
    case "agent":
      return (
        <AgentDialogSlot workspace={workspace} chatId={open.chatId} proposal={open.proposal} />
      );
    case "limits":
      return <LimitsSlot address={workspace.address} chatId={open.chatId} />;
    case "deposit":
      return <MoneyDialogSlot address={workspace.address} chatId={open.chatId} />;
    case "delete-chat": {
      const chat = workspace.chats?.find(({ _id }) => _id === open.chatId);
      if (!chat) return null;
      if (chat.agent?.squadsMultisig !== undefined) {
        return (
          <DeleteAgentSlot
            address={workspace.address}
            agent={chat.agent}
            onDeleted={workspace.leaveDeleted}
            selectChat={workspace.selectChat}
          />
        );
      }
      return (
        <DeleteChatDialog
          name={chatName(chat)}
          isBusy={workspace.isDeleting}
          onDelete={() => workspace.deleteChat(chat._id, closeDialog)}
          onClose={closeDialog}
        />
      );
    }
  }
}

/** Shows the dialog that is open and the one above it. Features know nothing of each other; they meet here. */
export function DialogHost(props: DialogHostProps) {
  const { workspace } = props;
  const { open, above } = useDialogs();
  const { address } = workspace;
  const chatId = "chatId" in open ? open.chatId : workspace.chatId;
  const agent = workspace.chats?.find(({ _id }) => _id === chatId)?.agent ?? null;
  const agents = useMemo(
    () => (workspace.chats ?? []).flatMap((chat) => chat.agent ?? []),
    [workspace.chats],
  );
  useStoppingNotice(agents);
  return (
    <>
      <Suspense>{contentOf(open, props)}</Suspense>
      <Suspense>
        {above === "auto-trade" && (
          <AutoTradeDialog address={address} agent={agent} onClose={closeAbove} />
        )}
        {above === "hypothesis" && agent && (
          <HypothesisDialog address={address} agent={agent} onClose={closeAbove} />
        )}
      </Suspense>
    </>
  );
}
