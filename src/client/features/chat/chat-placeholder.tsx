import { MessageSquareOff, MessagesSquare, Wallet } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

interface ChatPlaceholderProps {
  /** Why no messages are shown. */
  readonly kind: "disconnected" | "loading" | "failed" | "unknown" | "empty";
  /** Button to connect or sign in. */
  readonly connectAction: ReactNode;
  readonly onRetry: () => void;
}

/** Stands where the messages will be. */
export function ChatPlaceholder({ kind, connectAction, onRetry }: ChatPlaceholderProps) {
  switch (kind) {
    case "disconnected":
      return (
        <EmptyState
          icon={<Wallet />}
          title="Connect your wallet to start chatting"
          action={connectAction}
        />
      );
    case "loading":
      return (
        <div aria-busy className="flex grow flex-col gap-3 p-4">
          <Skeleton className="h-9 w-3/5 self-end" />
          <Skeleton className="h-16 w-4/5" />
        </div>
      );
    case "failed":
      return (
        <EmptyState
          title="The messages could not be loaded"
          action={<Button onClick={onRetry}>Try again</Button>}
        />
      );
    case "unknown":
      return (
        <EmptyState icon={<MessageSquareOff />} title="Chat not found">
          It was deleted, or it belongs to another wallet. Your chats are in the list; what you
          write here starts a new one.
        </EmptyState>
      );
    case "empty":
      return (
        <EmptyState icon={<MessagesSquare />} title="Start a conversation" action={connectAction}>
          Ask questions about Solana trading strategies, market analysis, or technical indicators
        </EmptyState>
      );
  }
}
