import { searchMessages } from "../../contract/chats.ts";
import { useRead } from "../queries/read.ts";
import { Search } from "lucide-react";
import { Suspense, useEffect, useMemo, useState } from "react";
import type { ChatListProps } from "../features/chat/list/chat-list.tsx";
import { ChatRail } from "../features/chat/list/chat-rail.tsx";
import { HypothesisWatch } from "../features/results/simulation/hypothesis-watch.tsx";
import { FALLBACK_TAB_ID, findTab } from "../tabs/registry.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { lazyPart, type LoadPart, PartExit } from "../ui/lazy-part.tsx";
import {
  openDialog,
  toggleDialog,
  closeAbove,
  closeDialog,
  openAbove,
  type OpenDialog,
  useDialogs,
} from "../lib/dialogs.ts";
import { MainPanel } from "./main-panel.tsx";
import { MobileBar, type MobilePage } from "./mobile-bar.tsx";
import { SplitView } from "./split-view.tsx";
import { ThemeButton } from "./theme-button.tsx";
import { ZoneButton } from "./zone-button.tsx";
import { useWorkspace } from "./use-workspace.ts";
import { WorkspaceHeader } from "./workspace-header.tsx";
import { ConnectAction } from "./connect-action.tsx";
import { ProposedWithdrawal, ResumeApproval } from "../custody/resume-approval.tsx";
import { useStoppingNotice } from "../features/agent/stopping-agents.ts";
import { chatName } from "../features/chat/list/group-chats.ts";
import { showTab } from "../tabs/open-tabs.ts";
import { debounce } from "../lib/clock.ts";
import { useOwner } from "../lib/session.ts";
import { storedChat } from "../lib/stored.ts";
import { useMedia } from "../lib/use-media.ts";
import type { ActionContext, WorkspaceData } from "../actions/action.ts";
import { useActionContext, WorkspaceActions } from "../actions/action-context.ts";
import { actionOfKey } from "../actions/keyed-actions.ts";
import type { SessionController } from "./session-controller.ts";
import { useWallet } from "../wallet/wallet.ts";

// Preloaded with the page, but the tabs do not wait for it
const ChatPanel = lazyPart(() => import("../features/chat/chat-panel.tsx"));
ChatPanel.preload();
const ChatOffers = lazyPart(() => import("./chat-offers.tsx"));
const ChatList = lazyPart(() => import("../features/chat/list/chat-list.tsx"));
const Sidebar = lazyPart(() => import("../features/chat/list/sidebar.tsx"), { isAbove: true });

/** Safari has no idle callbacks. */
const whenIdle = (run: () => void) => (globalThis.requestIdleCallback ?? setTimeout)(run);

/**
 * Workspace: header, trading tabs, chat and chat rail; phones show one page at a time. Shows the chat the address
 * names.
 */
export function Workspace({
  controller,
  named = "",
}: {
  readonly controller: SessionController;
  readonly named?: string;
}) {
  const workspace = useWorkspace(named);
  useLastChat(workspace);
  const panes = usePanes();
  const { isWide, page, toggleSidebar, leaveList } = panes;
  const wallet = useWallet((state) => state);
  const context = { ...workspace, wallet, controller, toggleSidebar, leaveList };
  useShortcuts(context);
  const isConnected = wallet.status === "connected";
  const { address, chatId } = workspace;
  const isSignedIn = address !== "";
  const hasChat = chatId !== "";
  usePreloads({ hasChat, isWide });
  const found = useFoundChats();

  const list: ChatListProps = {
    chats: workspace.chats ?? [],
    currentChatId: chatId,
    isSignedIn,
    excerpts: found.excerpts,
    onSearch: found.search,
    onSelect: workspace.selectChat,
    onLeave: leaveList,
    onCreate: () => {
      workspace.startChat();
      leaveList();
    },
    onRename: workspace.renameChat,
    onDelete: (id) => openDialog({ kind: "delete-chat", chatId: id }),
    onApiKey: () => openDialog({ kind: "api-key" }),
  };
  const chat = (
    <Suspense fallback={<div className="h-full bg-surface" />}>
      <ChatPanel
        chatId={chatId}
        isUnknown={workspace.isChatUnknown}
        onNewChat={workspace.newChat}
        offers={
          <Suspense>
            <ChatOffers />
          </Suspense>
        }
        connectAction={
          isConnected && isSignedIn ? null : <ConnectAction isConnected={isConnected} />
        }
      />
    </Suspense>
  );

  return (
    <WorkspaceActions value={context}>
      <div className="flex h-dvh flex-col">
        <SkipLink />
        <WorkspaceHeader />
        <Proposals />
        <main
          id="workspace"
          tabIndex={-1}
          className="flex min-h-0 grow outline-none max-md:pb-[calc(var(--toast-top,0px)-52px-env(safe-area-inset-bottom))]"
        >
          <SplitView main={<MainPanel />} chat={chat} page={isWide ? undefined : page} />
          {isWide && (
            <ChatRail
              chats={workspace.chats}
              currentChatId={chatId}
              isConnected={isConnected}
              isSignedIn={isSignedIn}
              onSelect={workspace.selectChat}
              onCreate={workspace.startChat}
            />
          )}
          <Suspense>
            {!isWide && page === "agents" && <ChatList {...list} extra={<PhoneExtras />} />}
          </Suspense>
        </main>
        {!isWide && <MobileBar page={page} onShow={panes.setPage} />}
        {panes.isSidebarKept && (
          <PartExit value={panes.removeSidebar}>
            <Suspense>
              <Sidebar {...list} open={panes.isSidebarOpen} onOpenChange={panes.setSidebarOpen} />
            </Suspense>
          </PartExit>
        )}
        <DialogHost />
        <HypothesisWatch chats={workspace.chats} />
      </div>
    </WorkspaceActions>
  );
}

/** Loads what is most likely shown next: the chart, the largest part, and a phone's list of chats. */
function usePreloads({ hasChat, isWide }: Readonly<Record<"hasChat" | "isWide", boolean>>): void {
  useEffect(() => {
    if (hasChat) whenIdle(() => findTab(FALLBACK_TAB_ID)?.view.preload?.());
  }, [hasChat]);
  useEffect(() => {
    if (!isWide) whenIdle(ChatList.preload);
  }, [isWide]);
}

function SkipLink() {
  return (
    <a
      href="#workspace"
      className="sr-only z-50 rounded-md bg-accent px-3 py-1.5 text-sm text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      Skip to the page
    </a>
  );
}

/** Line of open proposals, above everything a signed-in owner sees. */
function Proposals() {
  const { address } = useActionContext();
  return <Suspense>{address !== "" && <ProposalsBar />}</Suspense>;
}

/** Buttons that a wide screen has in its header. */
function PhoneExtras() {
  return (
    <>
      <IconButton
        label="Command palette"
        icon={<Search aria-hidden />}
        onClick={() => toggleDialog("palette")}
      />
      <ThemeButton />
      <ZoneButton />
    </>
  );
}

/** Returns a part of its own that opens above the page. */
const above = <P extends object>(load: LoadPart<P>) => lazyPart(load, { isAbove: true });
const AgentDialogHost = above(() => import("./agent-dialog-host.tsx"));
const FirstDeposit = above(() => import("../features/funds/first-deposit.tsx"));
const AssetLimits = above(() => import("../features/funds/asset-limits.tsx"));
const Palette = above(() => import("./palette.tsx"));
const BrowseDialog = above(() => import("./browse-dialog.tsx"));
const ShortcutsDialog = above(() => import("./shortcuts-dialog.tsx"));
const ExportDialog = above(() => import("../features/account/export-dialog.tsx"));
const ReadTokensDialog = above(() => import("../features/account/read-tokens-dialog.tsx"));
const SignedOutDialog = above(() => import("../features/account/signed-out-dialog.tsx"));
const ProposalsDialog = above(() => import("../features/agent/form/proposals-dialog.tsx"));
const ProposalsBar = above(() => import("../features/agent/proposals-bar.tsx"));
const ApiKeyDialog = above(() => import("../features/chat/api-key-dialog.tsx"));
const NoticesDialog = above(() => import("../features/account/notices-dialog.tsx"));
const AutoTradeDialog = above(() => import("../features/agent/auto-trade-dialog.tsx"));
const DeleteAgentDialog = above(() => import("../features/agent/delete-agent-dialog.tsx"));
const DeleteChatDialog = above(() => import("../features/chat/list/delete-chat-dialog.tsx"));
const ClosePositionDialog = above(() => import("../features/trading/close-position-dialog.tsx"));
const HypothesisDialog = above(
  () => import("../features/results/simulation/hypothesis-dialog.tsx"),
);
const WalletRequiredDialog = above(() => import("../features/account/wallet-required-dialog.tsx"));

function contentOf(open: OpenDialog, workspace: ActionContext) {
  switch (open.kind) {
    case "none":
      return null;
    case "api-key":
      return <ApiKeyDialog />;
    case "notices":
      return <NoticesDialog />;
    case "wallet-required":
      return <WalletRequiredDialog />;
    case "palette":
      return <Palette />;
    case "shortcuts":
      return <ShortcutsDialog onClose={closeDialog} />;
    case "browse":
      return <BrowseDialog page={open.page} />;
    case "export":
      return <ExportDialog network={workspace.network} agent={workspace.agent} />;
    case "signed-out":
      return <SignedOutDialog changes={open.changes} />;
    case "read-tokens":
      return <ReadTokensDialog />;
    case "proposals":
      return (
        <ProposalsDialog agents={(workspace.chats ?? []).flatMap((chat) => chat.agent ?? [])} />
      );
    case "approval":
      return <ResumeApproval chatId={open.chatId} transactionId={open.transactionId} />;
    case "agent":
      return <AgentDialogHost key={`${open.chatId} ${open.fill?.kind}`} {...open} />;
    case "limits":
      return <AssetLimits chatId={open.chatId} />;
    case "deposit":
      return <FirstDeposit chatId={open.chatId} amount={open.amount} />;
    case "withdrawal":
      return <ProposedWithdrawal chatId={open.chatId} amount={open.amount} />;
    case "delete-chat": {
      const chat = workspace.chats?.find(({ id }) => id === open.chatId);
      if (!chat) return null;
      if (chat.agent?.custody !== undefined) {
        return (
          <DeleteAgentDialog
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
              workspace.leaveList();
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
function DialogHost() {
  const workspace = useActionContext();
  const { open, above } = useDialogs();
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
        <Suspense>{contentOf(open, workspace)}</Suspense>
      </PartExit>
      <Suspense>
        {above === "auto-trade" && <AutoTradeDialog agent={agent} onClose={closeAbove} />}
        {above === "close-position" && agent && (
          <ClosePositionDialog agent={agent} onClose={closeAbove} />
        )}
        {above === "hypothesis" && agent && <HypothesisDialog agent={agent} onClose={closeAbove} />}
      </Suspense>
    </>
  );
}

/** Pause in typing before the server is asked, in milliseconds. */
const PAUSE_MS = 250;
const MAX_LENGTH = 100;

interface FoundChats {
  /** Excerpt around the found text, by chat id. */
  readonly excerpts: ReadonlyMap<string, string>;
  readonly search: (text: string) => void;
}

/** Searches the messages of all chats while the user types. */
function useFoundChats(): FoundChats {
  const address = useOwner();
  const [text, setText] = useState("");
  const search = useMemo(
    () => debounce((typed: string) => setText(typed.trim().slice(0, MAX_LENGTH)), PAUSE_MS),
    [],
  );
  const { data } = useRead(
    searchMessages,
    { params: { walletAddress: address }, query: { text } },
    { enabled: text.length >= 2 },
  );
  const excerpts = useMemo(
    () => new Map((data ?? []).map(({ chatId, excerpt }) => [chatId, excerpt])),
    [data],
  );
  return { excerpts, search };
}

/** True until the first chat has been shown since the page was opened. */
let isArriving = true;

/** Selects the chat shown last when the address names none. */
function useLastChat({ address, chats, chatId, isChatUnknown, selectChat }: WorkspaceData) {
  const isKnown = chats?.some(({ id }) => id === chatId) === true;
  useEffect(() => {
    if (address === "" || chats === undefined) return;
    if (isKnown && chatId !== "") storedChat.write({ owner: address, chatId });
    const last = isArriving && !isKnown && !isChatUnknown ? storedChat.read() : null;
    isArriving = false;
    if (last?.owner !== address || !chats.some(({ id }) => id === last.chatId)) return;
    selectChat(last.chatId, { replace: true });
  });
}

/** Returns which panes are on screen: all beside a sidebar on a wide screen, one page at a time on phones. */
function usePanes() {
  const isWide = useMedia("(min-width: 768px)");
  const [page, setPage] = useState<MobilePage>("trade");
  const [isSidebarOpen, setSidebarOpen] = useState(false);
  /** The sidebar's code is loaded when it is first opened. */
  const [isSidebarKept, setSidebarKept] = useState(false);

  const [wasWide, setWasWide] = useState(isWide);
  if (wasWide !== isWide) {
    setWasWide(isWide);
    // When the screen becomes narrow, the pane with the focus stays visible
    const side = isWide ? null : document.activeElement?.closest("#main, #chat");
    if (side) setPage(side.id === "chat" ? "chat" : "trade");
  }

  return {
    isWide,
    page,
    setPage,
    isSidebarOpen,
    setSidebarOpen,
    isSidebarKept,
    removeSidebar: () => setSidebarKept(false),
    /** Toggles the list of chats; on phones it is a page. */
    toggleSidebar(): void {
      if (!isWide) return setPage("agents");
      setSidebarKept(true);
      setSidebarOpen(!isSidebarOpen);
    },
    /** Leaves the list of chats for the tabs. */
    leaveList(): void {
      setSidebarOpen(false);
      setPage("trade");
    },
  };
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches("input, textarea, select, [contenteditable=true]");

/** Handles the workspace's shortcuts; they are disabled while a wallet request is shown. */
function useShortcuts(context: ActionContext): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
      const { key, ctrlKey, metaKey, altKey } = event;
      const isTyping = isField(event.target);
      const action = actionOfKey({ key, ctrlKey, metaKey, altKey, isTyping });
      if (action === undefined) return;
      event.preventDefault();
      action.perform(context);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
}
