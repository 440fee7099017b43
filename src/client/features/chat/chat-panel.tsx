import { type KeyboardEvent, type ReactNode, useMemo, useState } from "react";
import type { ChatId } from "../../../domain/ids.ts";
import type { AgentProposal } from "../../lib/ai/agent-proposal.ts";
import { useSessionStatus } from "../../lib/session.ts";
import { ChatPlaceholder } from "./chat-placeholder.tsx";
import { ChatToolbar } from "./chat-toolbar.tsx";
import { MessageInput } from "./message-input.tsx";
import { MessageList } from "./message-list.tsx";
import { ShownChat } from "./shown-chat.ts";
import { useChatUpkeep } from "./use-chat-upkeep.ts";
import { useDraft } from "./drafts.ts";
import { type Conversation, useConversation } from "./use-conversation.ts";

interface ChatPanelProps {
  readonly chatId: ChatId | "";
  /** True when the address names a chat that this wallet does not have. */
  readonly isUnknown: boolean;
  readonly onNewChat: () => Promise<ChatId>;
  readonly onApiKeyMissing: () => void;
  /** Opens the agent form filled with the assistant's proposal. */
  readonly onProposal: (proposal: AgentProposal) => void;
  /** Button to connect or sign in. */
  readonly connectAction: ReactNode;
}

/** Returns what a connected wallet's chat shows: its messages, or why there are none. */
function shownOf({ read, messages }: Conversation, isUnknown: boolean) {
  if (messages.length > 0) return isUnknown ? "unknown" : "messages";
  if (read.isLoading) return "loading";
  if (read.isError) return "failed";
  return isUnknown ? "unknown" : "empty";
}

/** Conversation of one chat with the assistant. */
export default function ChatPanel({ chatId, isUnknown, connectAction, ...rest }: ChatPanelProps) {
  useChatUpkeep();
  const conversation = useConversation({ chatId, ...rest });
  const { read, messages, liveId, isConnected } = conversation;
  const isRestoring = useSessionStatus() === "restoring";
  const shown = isRestoring
    ? "loading"
    : isConnected
      ? shownOf(conversation, isUnknown)
      : "disconnected";
  const [text, setText] = useDraft(chatId);
  const [search, setSearch] = useState<string | null>(null);
  const wanted = search?.trim().toLocaleLowerCase() ?? "";
  const found = useMemo(
    () =>
      wanted === ""
        ? messages
        : messages.filter(({ content }) => content.toLocaleLowerCase().includes(wanted)),
    [messages, wanted],
  );

  /** Opens the chat's own search, since the browser's only finds rendered messages; a second press opens that. */
  function onKeyDown(event: KeyboardEvent): void {
    const isFind = event.key === "f" && (event.ctrlKey || event.metaKey) && !event.altKey;
    if (!isFind || search !== null || messages.length === 0) return;
    event.preventDefault();
    setSearch("");
  }

  return (
    // The key handler serves the messages and the input inside
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      aria-label="Chat"
      className="flex h-full min-h-0 flex-col bg-surface"
      onKeyDown={onKeyDown}
    >
      {isConnected && (
        <ChatToolbar
          search={search}
          onSearch={setSearch}
          foundCount={wanted === "" ? null : found.length}
          isWhole={read.data?.isWhole ?? true}
          onApiKey={rest.onApiKeyMissing}
        />
      )}
      <ShownChat value={chatId}>
        <div className="relative flex min-h-0 grow flex-col">
          {shown !== "messages" ? (
            <ChatPlaceholder
              kind={shown}
              connectAction={connectAction}
              onRetry={() => void read.refetch()}
            />
          ) : (
            <MessageList
              key={chatId}
              chatId={chatId}
              conversation={conversation}
              messages={found}
              isFiltered={wanted !== ""}
              onEdit={setText}
              onApiKey={rest.onApiKeyMissing}
              onProposal={rest.onProposal}
            />
          )}
        </div>
      </ShownChat>
      <MessageInput
        text={text}
        onText={setText}
        isDisabled={!isConnected}
        isLoading={read.isLoading}
        isAnswering={liveId !== undefined}
        onSend={conversation.send}
        onStop={conversation.stop}
      />
    </section>
  );
}
