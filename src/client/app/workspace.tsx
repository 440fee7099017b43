import { Search } from "lucide-react";
import { Suspense, useState } from "react";
import { ChatList, type ChatListProps } from "../features/chats/chat-list.tsx";
import { ChatRail } from "../features/chats/chat-rail.tsx";
import { HypothesisWatch } from "../features/hypotheses/hypothesis-watch.tsx";
import { SignInButton } from "../features/sign-in/sign-in-button.tsx";
import { ConnectButton } from "../features/wallet-menu/connect-button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { PartExit } from "../ui/part-exit.ts";
import { useMedia } from "../lib/use-media.ts";
import { useWallet } from "../wallet/wallet.ts";
import { useController } from "./app-context.ts";
import { DialogHost } from "./dialog-host.tsx";
import { openAgentDialog, openDialog, toggleDialog } from "./dialogs.ts";
import { MainPanel } from "./main-panel.tsx";
import { MobileBar, type MobilePage } from "./mobile-bar.tsx";
import { SplitView } from "./split-view.tsx";
import { ThemeButton } from "./theme-button.tsx";
import { ZoneButton } from "./zone-button.tsx";
import { useFoundChats } from "./use-found-chats.ts";
import { useLastChat } from "./use-last-chat.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { useWorkspace } from "./use-workspace.ts";
import { WorkspaceHeader } from "./workspace-header.tsx";

// Preloaded with the page, but the tabs do not wait for it
const ChatPanel = lazyPart(() => import("../features/chat/chat-panel.tsx"));
ChatPanel.preload();
const Sidebar = lazyPart(() => import("../features/chats/sidebar.tsx"), { isAbove: true });

/** Workspace: header, trading tabs, chat and chat rail; phones show one page at a time. */
export function Workspace({ chatId: routeChatId }: { readonly chatId: string }) {
  const workspace = useWorkspace(routeChatId);
  useLastChat(workspace);
  const controller = useController();
  const isWide = useMedia("(min-width: 768px)");
  const [page, setPage] = useState<MobilePage>("trade");
  const [isSidebarOpen, setSidebarOpen] = useState(false);
  const [wasSidebarOpened, setSidebarOpened] = useState(false);
  const isConnected = useWallet(({ status }) => status === "connected");
  const { address, chatId } = workspace;
  const found = useFoundChats(address);

  function showSidebar(open: boolean): void {
    setSidebarOpened(true);
    setSidebarOpen(open);
  }
  const [wasWide, setWasWide] = useState(isWide);
  if (wasWide !== isWide) {
    setWasWide(isWide);
    // When the screen becomes narrow, the pane with the focus stays visible
    const side = isWide ? null : document.activeElement?.closest("#main, #chat");
    if (side) setPage(side.id === "chat" ? "chat" : "trade");
  }
  /** Toggles the list of chats; on phones it is a page. */
  function toggleSidebar(): void {
    if (isWide) showSidebar(!isSidebarOpen);
    else setPage("agents");
  }
  useShortcuts(toggleSidebar);
  function leaveList(): void {
    setSidebarOpen(false);
    setPage("trade");
  }

  const connectAction = !isConnected ? (
    <ConnectButton
      onConnect={(type) => void controller.connect(type)}
      onPhantomMissing={() => openDialog({ kind: "wallet-required" })}
    />
  ) : (
    address === "" && <SignInButton onSignIn={() => void controller.signIn()} />
  );
  const list: ChatListProps = {
    chats: workspace.chats ?? [],
    currentChatId: chatId,
    isSignedIn: address !== "",
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
        connectAction={connectAction}
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
        {isWide ? (
          <ChatRail
            chats={workspace.chats}
            currentChatId={chatId}
            isConnected={isConnected}
            isSignedIn={address !== ""}
            onSelect={workspace.selectChat}
            onCreate={workspace.startChat}
          />
        ) : (
          page === "agents" && (
            <ChatList
              {...list}
              extra={
                <>
                  <IconButton
                    label="Command palette"
                    icon={<Search aria-hidden />}
                    onClick={() => toggleDialog("palette")}
                  />
                  <ThemeButton />
                  <ZoneButton />
                </>
              }
            />
          )
        )}
      </main>
      {!isWide && <MobileBar page={page} onShow={setPage} />}
      {wasSidebarOpened && (
        <PartExit value={() => setSidebarOpened(false)}>
          <Suspense>
            <Sidebar {...list} open={isSidebarOpen} onOpenChange={setSidebarOpen} />
          </Suspense>
        </PartExit>
      )}
      <DialogHost workspace={workspace} toggleSidebar={toggleSidebar} leaveList={leaveList} />
      <HypothesisWatch address={address} chats={workspace.chats} />
    </div>
  );
}
