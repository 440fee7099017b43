import { NothingLoaded } from "../../ui/not-loaded.tsx";
import { CONTROL_STYLE } from "../../ui/field-context.ts";
import {
  type KeyboardEvent,
  type ReactNode,
  Suspense,
  useMemo,
  useState,
  useRef,
  useEffect,
} from "react";
import type { ChatId } from "../../../domain/ids.ts";
import { useSessionStatus, session, useOwner } from "../../lib/session.ts";
import { MessageList } from "./message-list.tsx";
import { type ShownMessage, ShownChat } from "./shown-messages.ts";
import { forgetImages, Picture, WITH_PICTURE } from "./question-images.tsx";
import { type Conversation, type Question, useConversation } from "./use-conversation.ts";
import {
  MessageSquareOff,
  MessagesSquare,
  Wallet,
  ImagePlus,
  KeyRound,
  NotebookPen,
  Search,
  X,
  ArrowUp,
  Square,
} from "lucide-react";
import { openDialog, useDialogs } from "../../lib/dialogs.ts";
import { readAiKey } from "../../lib/ai/ai-key.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useStore } from "zustand";
import { aiChoice, hostOf, readAiChoice } from "../../lib/ai/ai-settings.ts";
import { chartPicture } from "../../lib/chart-preview.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Input } from "../../ui/input.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { adoptAnswers } from "./assistant/finish-answer.ts";
import { stopAllAnswers } from "./assistant/live-answers.ts";
import { deliverWaiting } from "./outbox.ts";
import { createStore } from "zustand/vanilla";

const StandingNotes = lazyPart(() => import("./standing-notes.tsx"));

// Answers and drafts of the previous wallet must not be visible to the next
session.subscribe((now, before) => {
  if (now.address === before.address) return;
  stopAllAnswers();
  forgetImages();
  if (before.address !== "") forgetDrafts();
});

/** Sends unsent messages and finishes abandoned answers at sign-in and after reconnecting. */
function useChatUpkeep(): void {
  const owner = useOwner();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (owner === "") return;
    const run = () => void deliverWaiting(owner, queryClient);
    run();
    adoptAnswers(owner, queryClient);
    window.addEventListener("online", run);
    return () => window.removeEventListener("online", run);
  }, [owner, queryClient]);
}

interface ChatPanelProps {
  readonly chatId: ChatId | "";
  /** True when the address names a chat that this wallet does not have. */
  readonly isUnknown: boolean;
  readonly onNewChat: () => Promise<ChatId>;
  /** Button to connect or sign in. */
  readonly connectAction: ReactNode;
  /** What works without a model's key; shown where there is none. */
  readonly offers: ReactNode;
}

/** Returns what a connected wallet's chat shows: its messages, or why there are none. */
function shownOf({ read, messages }: Conversation, isUnknown: boolean) {
  if (messages.length > 0) return isUnknown ? "unknown" : "messages";
  if (read.isLoading) return "loading";
  if (read.isError) return "failed";
  return isUnknown ? "unknown" : "empty";
}

/** Conversation of one chat with the assistant. */
export default function ChatPanel(props: ChatPanelProps) {
  const { chatId, isUnknown, connectAction, offers, onNewChat } = props;
  useChatUpkeep();
  const conversation = useConversation({ chatId, onNewChat });
  const { read, messages, liveId, isConnected } = conversation;
  const isRestoring = useSessionStatus() === "restoring";
  const shown = isRestoring
    ? "loading"
    : isConnected
      ? shownOf(conversation, isUnknown)
      : "disconnected";
  const [text, setText] = useDraft(chatId);
  const [search, setSearch] = useState<string | null>(null);
  const [hasNotes, setNotes] = useState(false);
  const [edited, setEdited] = useState<ShownMessage | null>(null);
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
          onNotes={chatId === "" ? null : () => setNotes(!hasNotes)}
        />
      )}
      {hasNotes && chatId !== "" && isConnected && (
        <Suspense fallback={null}>
          <StandingNotes key={chatId} chatId={chatId} />
        </Suspense>
      )}
      <ShownChat value={chatId}>
        <div className="relative flex min-h-0 grow flex-col">
          {shown !== "messages" ? (
            <ChatPlaceholder
              kind={shown}
              connectAction={connectAction}
              offers={offers}
              onRetry={() => void read.refetch()}
            />
          ) : (
            <MessageList
              key={chatId}
              chatId={chatId}
              conversation={conversation}
              messages={found}
              isFiltered={wanted !== ""}
              onEdit={(message) => {
                setEdited(message);
                setText(message.content.replace(WITH_PICTURE, "").trim());
              }}
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
        isEditing={edited !== null}
        onCancelEdit={() => {
          setEdited(null);
          setText("");
        }}
        onSend={async (question) => {
          const isSent = await conversation.send({ ...question, replaces: edited?.id });
          if (isSent) setEdited(null);
          return isSent;
        }}
        onStop={conversation.stop}
      />
    </section>
  );
}

interface ChatPlaceholderProps {
  /** Why no messages are shown. */
  readonly kind: "disconnected" | "loading" | "failed" | "unknown" | "empty";
  /** Button to connect or sign in. */
  readonly connectAction: ReactNode;
  readonly offers: ReactNode;
  readonly onRetry: () => void;
}

/** Stands where the messages will be. */
function ChatPlaceholder({ kind, connectAction, offers, onRetry }: ChatPlaceholderProps) {
  // The dialog that sets the key changes what is offered
  useDialogs();
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
      return <NothingLoaded title="The messages could not be loaded" onRetry={onRetry} />;
    case "unknown":
      return (
        <EmptyState icon={<MessageSquareOff />} title="Chat not found">
          It was deleted, or it belongs to another wallet. Your chats are in the list; what you
          write here starts a new one.
        </EmptyState>
      );
    case "empty":
      return (
        <EmptyState
          icon={<MessagesSquare />}
          title="Start a conversation"
          action={connectAction ?? (readAiKey(readAiChoice()) === null ? offers : null)}
        >
          Ask questions about Solana trading strategies, market analysis, or technical indicators
        </EmptyState>
      );
  }
}

interface ChatToolbarProps {
  /** Search text; null while the search is closed. */
  readonly search: string | null;
  readonly onSearch: (search: string | null) => void;
  /** Number of messages containing the text; null without a search. */
  readonly foundCount: number | null;
  /** Whether all messages of the chat were searched. */
  readonly isWhole: boolean;
  /** Shows or hides the standing notes; null where there is no chat yet. */
  readonly onNotes: (() => void) | null;
}

/** Toolbar with model, host and the search in this chat. */
function ChatToolbar(props: ChatToolbarProps) {
  const { search, onSearch, foundCount, isWhole } = props;
  const choice = useStore(aiChoice);
  return (
    <div className="flex h-10 shrink-0 items-center gap-1 border-b px-2">
      {search === null ? (
        <>
          <p className="min-w-0 grow truncate pl-1 text-2xs text-faint">
            {choice.currentModel} · {hostOf(choice)}
          </p>
          {props.onNotes !== null && (
            <IconButton
              size="small"
              label="Standing notes"
              icon={<NotebookPen aria-hidden />}
              onClick={props.onNotes}
            />
          )}
          <IconButton
            size="small"
            label="Search this chat"
            icon={<Search aria-hidden />}
            onClick={() => onSearch("")}
          />
          <IconButton
            size="small"
            label="AI settings"
            icon={<KeyRound aria-hidden />}
            onClick={() => openDialog({ kind: "api-key" })}
          />
        </>
      ) : (
        <>
          <Input
            autoFocus
            type="search"
            aria-label="Search this chat"
            placeholder="Search this chat"
            value={search}
            className="h-7"
            onChange={(event) => onSearch(event.target.value)}
            onKeyDown={(event) => event.key === "Escape" && onSearch(null)}
          />
          <span role="status" className="shrink-0 px-1 text-2xs text-faint">
            {foundCount !== null && `${foundCount} found${isWhole ? "" : " so far"}`}
          </span>
          <IconButton
            size="small"
            label="Close search"
            icon={<X aria-hidden />}
            onClick={() => onSearch(null)}
          />
        </>
      )}
    </div>
  );
}

interface MessageInputProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly isDisabled: boolean;
  readonly isLoading: boolean;
  readonly isAnswering: boolean;
  /** True while the text is a question that was asked before. */
  readonly isEditing: boolean;
  readonly onCancelEdit: () => void;
  /** Resolves to whether the question was accepted. */
  readonly onSend: (question: Question) => Promise<boolean>;
  readonly onStop: () => void;
}

const BUTTON =
  "tint absolute right-2 bottom-2 inline-flex size-7 items-center justify-center rounded-md";

function MessageInput(props: MessageInputProps) {
  const { text, onText, isDisabled, isAnswering } = props;
  const isSending = useRef(false);
  const [image, setImage] = useState<string | undefined>(undefined);
  const takePicture = useStore(chartPicture, ({ take }) => take);
  const cannotSend = isDisabled || props.isLoading || isAnswering || text.trim() === "";

  async function submit(): Promise<void> {
    if (cannotSend || isSending.current) return;
    isSending.current = true;
    try {
      if (!(await props.onSend({ text, image }))) return;
      onText("");
      setImage(undefined);
    } finally {
      isSending.current = false;
    }
  }

  return (
    <Form className="shrink-0 border-t bg-surface p-3" onSubmit={submit}>
      {props.isEditing && <EditNote onCancel={props.onCancelEdit} />}
      {image !== undefined && <Picture image={image} onRemove={() => setImage(undefined)} />}
      <div className="relative">
        {takePicture !== null && !isDisabled && image === undefined && (
          <span className="absolute right-10 bottom-2.5 z-1">
            <IconButton
              size="small"
              label="Add a picture of the chart"
              icon={<ImagePlus aria-hidden />}
              onClick={() => setImage(takePicture() ?? undefined)}
            />
          </span>
        )}
        <textarea
          rows={2}
          aria-label="Message"
          placeholder={isDisabled ? "Connect wallet to chat..." : "Type your message..."}
          disabled={isDisabled}
          value={text}
          maxLength={100_000}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape" && isAnswering) props.onStop();
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            void submit();
          }}
          className={`${CONTROL_STYLE} block field-sizing-content max-h-48 min-h-14 resize-none py-2 pl-3 ${takePicture === null ? "pr-12" : "pr-20"}`}
        />
        {isAnswering ? (
          <button
            type="button"
            aria-label="Stop answering"
            onClick={props.onStop}
            className={`${BUTTON} border border-line-strong bg-raised text-ink hover:bg-hover`}
          >
            <Square aria-hidden className="size-3 fill-current" />
          </button>
        ) : (
          <button
            type="submit"
            aria-label="Send message"
            disabled={cannotSend}
            className={`${BUTTON} bg-accent text-accent-ink enabled:hover:bg-accent-hover disabled:cursor-not-allowed disabled:bg-hover disabled:text-faint`}
          >
            <ArrowUp aria-hidden className="size-4" />
          </button>
        )}
      </div>
      <p className="mt-2 text-center text-2xs text-faint">
        AI may provide inaccurate information. Verify before making financial decisions.
      </p>
    </Form>
  );
}

function EditNote({ onCancel }: { readonly onCancel: () => void }) {
  return (
    <p className="mb-2 flex items-center gap-2 text-2xs text-muted">
      <span className="grow">This question and what came after it are replaced.</span>
      <Button size="small" onClick={onCancel}>
        Cancel
      </Button>
    </p>
  );
}

const drafts = createStore<Readonly<Record<string, string>>>(() => ({}));

export function forgetDrafts(): void {
  drafts.setState({}, true);
}

/** Unsent text of a chat, kept while the page is open, because on phones the chat unmounts. */
function useDraft(chatId: ChatId | ""): readonly [text: string, set: (text: string) => void] {
  const text = useStore(drafts, (all) => all[chatId] ?? "");
  return [text, (next) => drafts.setState({ [chatId]: next })];
}
