import { useQuery } from "@tanstack/react-query";
import { MessagesSquare, Wallet } from "lucide-react";
import type { ReactNode } from "react";
import { useStore } from "zustand";
import { useOwner } from "../../lib/session.ts";
import { messagesQuery } from "../../queries/messages.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useWallet } from "../../wallet/wallet.ts";
import { MessageInput } from "./message-input.tsx";
import { MessageList } from "./message-list.tsx";
import { outbox } from "./outbox.ts";
import { useSendMessage } from "./use-send-message.ts";

interface ChatPanelProps {
  readonly chatId: string;
  readonly onNewChat: () => Promise<string>;
  readonly onApiKeyMissing: () => void;
  /** What to do when not connected or signed in, as a button. */
  readonly connectAction: ReactNode;
}

/** The conversation of one chat. Answers of the assistant are shown as stored; asking it is not part of this panel yet. */
export function ChatPanel({ chatId, onNewChat, onApiKeyMissing, connectAction }: ChatPanelProps) {
  const address = useOwner();
  const isConnected = useWallet(({ status }) => status === "connected");
  const read = useQuery(messagesQuery(address, chatId));
  const outgoing = useStore(outbox, (all) => all[chatId]);
  const { send, retry } = useSendMessage({ chatId, onNewChat, onApiKeyMissing });
  const stored = read.data ?? [];
  const storedIds = new Set(stored.map(({ _id }) => _id));
  const messages = [...stored, ...(outgoing ?? []).filter(({ _id }) => !storedIds.has(_id))];

  function body(): ReactNode {
    if (!isConnected) {
      return (
        <EmptyState
          icon={<Wallet />}
          title="Connect your wallet to start chatting"
          action={connectAction}
        />
      );
    }
    if (read.isLoading) {
      return (
        <div aria-busy className="flex grow flex-col gap-3 p-4">
          <Skeleton className="h-9 w-3/5 self-end" />
          <Skeleton className="h-16 w-4/5" />
        </div>
      );
    }
    if (read.isError && messages.length === 0) {
      return (
        <EmptyState
          title="The messages could not be loaded"
          action={<Button onClick={() => void read.refetch()}>Try again</Button>}
        />
      );
    }
    if (messages.length === 0) {
      return (
        <EmptyState icon={<MessagesSquare />} title="Start a conversation" action={connectAction}>
          Ask questions about Solana trading strategies, market analysis, or technical indicators
        </EmptyState>
      );
    }
    return (
      <>
        <MessageList chatId={chatId} messages={messages} onRetry={retry} />
        {messages.length === stored.length && stored.at(-1)?.type === "user" && (
          <p className="px-4 pb-2 text-center text-2xs text-faint">
            Your message is stored. The assistant does not answer yet.
          </p>
        )}
      </>
    );
  }

  return (
    <section aria-label="Chat" className="flex h-full min-h-0 flex-col bg-surface">
      <div className="flex min-h-0 grow flex-col">{body()}</div>
      <MessageInput isDisabled={!isConnected} isLoading={read.isLoading} onSend={send} />
    </section>
  );
}
