import { Search } from "lucide-react";
import { Suspense, useEffect } from "react";
import { ChatList, type ChatListProps } from "../features/chats/chat-list.tsx";
import { ChatRail } from "../features/chats/chat-rail.tsx";
import { HypothesisWatch } from "../features/hypotheses/hypothesis-watch.tsx";
import { FALLBACK_TAB_ID, findTab } from "../tabs/registry.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { PartExit } from "../ui/part-exit.ts";
import { useWallet } from "../wallet/wallet.ts";
import { ConnectAction } from "./connect-action.tsx";
import { DialogHost } from "./dialog-host.tsx";
import { openAgentDialog, openDialog, toggleDialog } from "../lib/dialogs.ts";
import { MainPanel } from "./main-panel.tsx";
import { MobileBar } from "./mobile-bar.tsx";
import { SplitView } from "./split-view.tsx";
import { ThemeButton } from "./theme-button.tsx";
import { ZoneButton } from "./zone-button.tsx";
import { useFoundChats } from "./use-found-chats.ts";
import { useLastChat } from "./use-last-chat.ts";
import { usePanes } from "./use-panes.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { useWorkspace } from "./use-workspace.ts";
import { WorkspaceHeader } from "./workspace-header.tsx";

// Preloaded with the page, but the tabs do not wait for it
const ChatPanel = lazyPart(() => import("../features/chat/chat-panel.tsx"));
ChatPanel.preload();
const Sidebar = lazyPart(() => import("../features/chats/sidebar.tsx"), { isAbove: true });

/** Safari has no idle callbacks. */
const whenIdle = (run: () => void) => (globalThis.requestIdleCallback ?? setTimeout)(run);

/**
 * Workspace: header, trading tabs, chat and chat rail; phones show one page at a time. Shows the chat the address
 * names.
 */
export function Workspace({ named = "" }: { readonly named?: string }) {
  const workspace = useWorkspace(named);
  useLastChat(workspace);
  const panes = usePanes();
  const { isWide, page, toggleSidebar, leaveList } = panes;
  useShortcuts(toggleSidebar);
  const isConnected = useWallet(({ status }) => status === "connected");
  const { address, chatId } = workspace;
  const isSignedIn = address !== "";
  const hasChat = chatId !== "";
  // The chart is the largest part and what a chat's reader looks at next
  useEffect(() => {
    if (hasChat) whenIdle(() => findTab(FALLBACK_TAB_ID)?.view.preload?.());
  }, [hasChat]);
  const found = useFoundChats(address);

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
  const main = <MainPanel workspace={workspace} />;
  const chat = (
    <Suspense fallback={<div className="h-full bg-surface" />}>
      <ChatPanel
        chatId={chatId}
        isUnknown={workspace.isChatUnknown}
        onNewChat={workspace.newChat}
        onApiKeyMissing={() => openDialog({ kind: "api-key" })}
        onProposal={(proposal) => openAgentDialog({ chatId }, proposal)}
        connectAction={
          isConnected && isSignedIn ? null : <ConnectAction isConnected={isConnected} />
        }
      />
    </Suspense>
  );

  return (
    <div className="flex h-dvh flex-col">
      <WorkspaceHeader
        workspace={workspace}
        onToggleSidebar={toggleSidebar}
        onAutoTrade={() => openAgentDialog({ chatId })}
      />
      <main className="flex min-h-0 grow">
        <SplitView main={main} chat={chat} page={isWide ? undefined : page} />
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
        {!isWide && page === "agents" && <ChatList {...list} extra={<PhoneExtras />} />}
      </main>
      {!isWide && <MobileBar page={page} onShow={panes.setPage} />}
      {panes.isSidebarKept && (
        <PartExit value={panes.removeSidebar}>
          <Suspense>
            <Sidebar {...list} open={panes.isSidebarOpen} onOpenChange={panes.setSidebarOpen} />
          </Suspense>
        </PartExit>
      )}
      <DialogHost workspace={workspace} toggleSidebar={toggleSidebar} leaveList={leaveList} />
      <HypothesisWatch address={address} chats={workspace.chats} />
    </div>
  );
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
