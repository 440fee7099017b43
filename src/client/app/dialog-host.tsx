import { Suspense, useMemo } from "react";
import { ResumeApproval } from "../custody/resume-approval.tsx";
import { useStoppingNotice } from "../features/auto-trade/use-stopping-notice.ts";
import { chatName } from "../features/chats/group-chats.ts";
import { showTab } from "../tabs/open-tabs.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { PartExit } from "../ui/part-exit.ts";
import { closeAbove, closeDialog, openAbove, type OpenDialog, useDialogs } from "../lib/dialogs.ts";
import type { WorkspaceData } from "./use-workspace.ts";

const ABOVE = { isAbove: true };
const AgentDialogHost = lazyPart(() => import("./agent-dialog-host.tsx"), ABOVE);
const FirstDeposit = lazyPart(() => import("../features/funds/first-deposit.tsx"), ABOVE);
const AssetLimits = lazyPart(() => import("../features/funds/asset-limits.tsx"), ABOVE);
const Palette = lazyPart(() => import("./palette.tsx"), ABOVE);
const ShortcutsDialog = lazyPart(() => import("./shortcuts-dialog.tsx"), ABOVE);
const ExportDialog = lazyPart(() => import("../features/exports/export-dialog.tsx"), ABOVE);
const ReadTokensDialog = lazyPart(
  () => import("../features/exports/read-tokens-dialog.tsx"),
  ABOVE,
);
const ApiKeyDialog = lazyPart(() => import("../features/chat/api-key-dialog.tsx"), ABOVE);
const NoticesDialog = lazyPart(() => import("../features/notices/notices-dialog.tsx"), ABOVE);
const AutoTradeDialog = lazyPart(
  () => import("../features/auto-trade/auto-trade-dialog.tsx"),
  ABOVE,
);
const DeleteAgentDialog = lazyPart(
  () => import("../features/delete-agent/delete-agent-dialog.tsx"),
  ABOVE,
);
const DeleteChatDialog = lazyPart(() => import("../features/chats/delete-chat-dialog.tsx"), ABOVE);
const HypothesisDialog = lazyPart(
  () => import("../features/hypotheses/hypothesis-dialog.tsx"),
  ABOVE,
);
const WalletRequiredDialog = lazyPart(
  () => import("../features/wallet-menu/wallet-required-dialog.tsx"),
  ABOVE,
);

interface DialogHostProps {
  readonly workspace: WorkspaceData;
  readonly toggleSidebar: () => void;
  /** Called when the list of chats shall give way to the chat on screen. */
  readonly leaveList: () => void;
}

function contentOf(open: OpenDialog, { workspace, toggleSidebar, leaveList }: DialogHostProps) {
  switch (open.kind) {
    case "none":
      return null;
    case "api-key":
      return <ApiKeyDialog />;
    case "notices":
      return <NoticesDialog address={workspace.address} />;
    case "wallet-required":
      return <WalletRequiredDialog />;
    case "palette":
      return <Palette workspace={workspace} toggleSidebar={toggleSidebar} />;
    case "shortcuts":
      return <ShortcutsDialog onClose={closeDialog} />;
    case "export":
      return (
        <ExportDialog
          address={workspace.address}
          network={workspace.network}
          agent={workspace.agent}
        />
      );
    case "read-tokens":
      return <ReadTokensDialog address={workspace.address} />;
    case "approval":
      return (
        <ResumeApproval
          address={workspace.address}
          chatId={open.chatId}
          transactionId={open.transactionId}
        />
      );
    case "agent":
      return <AgentDialogHost workspace={workspace} {...open} />;
    case "limits":
      return <AssetLimits address={workspace.address} chatId={open.chatId} />;
    case "deposit":
      return <FirstDeposit address={workspace.address} chatId={open.chatId} />;
    case "delete-chat": {
      const chat = workspace.chats?.find(({ id }) => id === open.chatId);
      if (!chat) return null;
      if (chat.agent?.custody !== undefined) {
        return (
          <DeleteAgentDialog
            address={workspace.address}
            agent={chat.agent}
            onDeleted={() => {
              closeDialog();
              workspace.leaveDeleted();
            }}
            onClose={closeDialog}
            onStop={() => openAbove("auto-trade")}
            onWithdraw={() => {
              closeDialog();
              workspace.selectChat(chat.id);
              leaveList();
              showTab("manage-funds");
            }}
          />
        );
      }
      return (
        <DeleteChatDialog
          name={chatName(chat)}
          isBusy={workspace.isDeleting}
          onDelete={() => workspace.deleteChat(chat.id, closeDialog)}
          onClose={closeDialog}
        />
      );
    }
  }
}

/** Renders the open dialog and the one above it; features do not import each other, so this file connects them. */
export function DialogHost(props: DialogHostProps) {
  const { workspace } = props;
  const { open, above } = useDialogs();
  const { address } = workspace;
  const chatId = "chatId" in open ? open.chatId : workspace.chatId;
  const agent = workspace.chats?.find(({ id }) => id === chatId)?.agent ?? null;
  const agents = useMemo(
    () => (workspace.chats ?? []).flatMap((chat) => chat.agent ?? []),
    [workspace.chats],
  );
  useStoppingNotice(agents);
  return (
    <>
      <PartExit value={closeDialog}>
        <Suspense>{contentOf(open, props)}</Suspense>
      </PartExit>
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
