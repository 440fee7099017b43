import { KeyRound, Landmark, Plus, ChevronDown, Pencil, Trash2 } from "lucide-react";
import { type ReactNode, useState, type MouseEvent, useRef } from "react";
import type { ChatId } from "../../../../domain/ids.ts";
import type { Chat } from "../../../../contract/chats.ts";
import { Button } from "../../../ui/button.tsx";
import { Input } from "../../../ui/input.tsx";
import { SearchInput } from "../../../ui/search-input.tsx";
import { Tooltip } from "../../../ui/tooltip-provider.tsx";
import { groupChats, chatName } from "./group-chats.ts";
import { clsx } from "clsx";
import { flushSync } from "react-dom";
import { ConditionBadge } from "../../../ui/condition-badge.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { TimeText } from "../../../ui/time-text.tsx";

export interface ChatListProps {
  readonly chats: readonly Chat[];
  readonly currentChatId: string;
  readonly isSignedIn: boolean;
  /** Excerpt around the found text, by chat id. */
  readonly excerpts: ReadonlyMap<string, string>;
  readonly onSearch: (text: string) => void;
  readonly onSelect: (chatId: ChatId) => void;
  /** Called after a chat was selected and the list may close. */
  readonly onLeave: () => void;
  readonly onCreate: () => void;
  readonly onRename: (chatId: ChatId, title: string) => void;
  readonly onDelete: (chatId: ChatId) => void;
  readonly onApiKey: () => void;
  /** Content beside the API Key button. */
  readonly extra?: ReactNode;
}

/** Searchable list of the wallet's chats, grouped by the state of their agents. */
export default function ChatList(props: ChatListProps) {
  const { chats, currentChatId, isSignedIn, excerpts } = props;
  const [search, setSearch] = useState("");
  const isSearched = search.trim() !== "";
  const groups = groupChats(chats, search, isSearched ? excerpts : new Map());
  const row = (chat: Chat) => (
    <ChatRow
      key={chat.id}
      chat={chat}
      excerpt={isSearched ? excerpts.get(chat.id) : undefined}
      isCurrent={chat.id === currentChatId}
      onSelect={() => props.onSelect(chat.id)}
      onLeave={props.onLeave}
      onRename={(title) => props.onRename(chat.id, title)}
      onDelete={() => props.onDelete(chat.id)}
    />
  );
  return (
    <div className="flex min-h-0 min-w-0 grow flex-col gap-3 p-3">
      <Button tone="primary" disabled={!isSignedIn} onClick={props.onCreate}>
        <Plus aria-hidden />
        Create
      </Button>
      <SearchInput
        label="Search chats"
        value={search}
        onValueChange={(value) => {
          setSearch(value);
          props.onSearch(value);
        }}
      />
      <nav
        aria-label="Chats"
        className="-mx-1 flex min-h-0 grow flex-col gap-3 overflow-y-auto px-1"
      >
        <ChatGroup title="On" count={groups.on.length}>
          {groups.on.map(row)}
        </ChatGroup>
        <ChatGroup title="Off" count={groups.off.length}>
          {groups.off.map(row)}
        </ChatGroup>
        {groups.none.length > 0 && (
          <ChatGroup title="No agent" count={groups.none.length}>
            {groups.none.map(row)}
          </ChatGroup>
        )}
      </nav>
      <div className="flex gap-2">
        <Button className="grow" onClick={props.onApiKey}>
          <KeyRound aria-hidden />
          API Key
        </Button>
        <Tooltip label="Coming Soon">
          <Button aria-disabled className="cursor-not-allowed opacity-60">
            <Landmark aria-hidden />
            Bond
          </Button>
        </Tooltip>
        {props.extra}
      </div>
    </div>
  );
}

const LOOKS = {
  On: { label: "On agents", empty: "No on agents.", dot: "bg-up", text: "text-up" },
  Off: { label: "Off agents", empty: "No off agents.", dot: "bg-down", text: "text-down" },
  "No agent": {
    label: "Chats without agent",
    empty: "No chats without agent.",
    dot: "bg-line-strong",
    text: "text-muted",
  },
} as const;

interface ChatGroupProps {
  readonly title: keyof typeof LOOKS;
  readonly count: number;
  readonly children: ReactNode;
}

/** Collapsible group of chats; an empty one shows a text. */
function ChatGroup({ title, count, children }: ChatGroupProps) {
  const [isOpen, setOpen] = useState(true);
  const { label, empty, dot, text } = LOOKS[title];
  return (
    <section aria-label={label}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="tint flex h-7 w-full items-center gap-2 rounded-md px-2.5 text-xs font-semibold hover:bg-hover"
      >
        <span aria-hidden className={clsx("size-2 rounded-full", dot)} />
        <span className={text}>{title}</span>
        <span className="font-normal text-faint">{count}</span>
        <ChevronDown
          aria-hidden
          className={clsx("ml-auto size-3.5 text-faint", !isOpen && "-rotate-90")}
        />
      </button>
      {isOpen &&
        (count === 0 ? (
          <p className="px-2.5 py-2 text-xs text-faint">{empty}</p>
        ) : (
          <ul className="mt-0.5 flex flex-col gap-px">{children}</ul>
        ))}
    </section>
  );
}

interface ChatRowProps {
  readonly chat: Chat;
  /** Excerpt around the found text in its messages. */
  readonly excerpt?: string | undefined;
  readonly isCurrent: boolean;
  readonly onSelect: () => void;
  /** Called after a selection that no second click turned into renaming; the list may close. */
  readonly onLeave: () => void;
  readonly onRename: (title: string) => void;
  readonly onDelete: () => void;
}

/** Longest interval of a double click, in milliseconds. */
const DOUBLE_CLICK_MS = 350;

/** Returns the excerpt without the footer of stored answers. */
const readable = (excerpt: string) => excerpt.split("```wheelhouse-answer", 1)[0]?.trim() ?? "";

function ChatRow(props: ChatRowProps) {
  const { chat, excerpt, isCurrent, onSelect, onLeave, onRename, onDelete } = props;
  const [isRenaming, setRenaming] = useState(false);
  const renameRef = useRef<HTMLButtonElement>(null);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const name = chatName(chat);

  /** Selects the chat; by key and touch the list closes at once. */
  function choose({ detail, nativeEvent }: MouseEvent): void {
    clearTimeout(leaving.current);
    if (detail > 1) return;
    onSelect();
    const isTouch = "pointerType" in nativeEvent && nativeEvent.pointerType === "touch";
    if (detail === 0 || isTouch) onLeave();
    else leaving.current = setTimeout(onLeave, DOUBLE_CLICK_MS);
  }

  function begin(): void {
    clearTimeout(leaving.current);
    setRenaming(true);
  }

  if (isRenaming) {
    return (
      <li className="p-1">
        <ChatNameField
          name={name}
          onRename={onRename}
          onBlur={() => setRenaming(false)}
          onLeave={() => {
            flushSync(() => setRenaming(false));
            renameRef.current?.focus();
          }}
        />
      </li>
    );
  }
  return (
    <li
      className={clsx(
        "group tint relative flex items-center rounded-md hover:bg-hover",
        isCurrent && "bg-hover",
      )}
    >
      <button
        type="button"
        aria-current={isCurrent || undefined}
        onClick={choose}
        onDoubleClick={begin}
        className="flex min-w-0 grow flex-col rounded-md px-2.5 py-1.5 text-left"
      >
        <span className="w-full truncate text-sm font-medium">{name}</span>
        {excerpt !== undefined && (
          <span className="w-full truncate text-xs text-muted">…{readable(excerpt)}…</span>
        )}
        <span className="flex flex-wrap items-center gap-x-2 text-2xs text-faint">
          <TimeText at={chat.updatedAt} as="short" />
          {chat.agent?.trading && <ConditionBadge condition={chat.agent.trading} />}
        </span>
      </button>
      <span className="flex pr-1 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
        <IconButton
          size="small"
          ref={renameRef}
          label={`Rename ${name}`}
          icon={<Pencil aria-hidden />}
          onClick={begin}
        />
        <IconButton
          size="small"
          label={`Delete ${name}`}
          icon={<Trash2 aria-hidden />}
          onClick={onDelete}
        />
      </span>
    </li>
  );
}

interface ChatNameFieldProps {
  readonly name: string;
  /** Called with a name that differs. */
  readonly onRename: (title: string) => void;
  readonly onBlur: () => void;
  /** Called when the field is left by key, which has to put the focus elsewhere. */
  readonly onLeave: () => void;
}

/** Field for a chat's new name: Enter and blur save it, Escape does not. */
function ChatNameField({ name, onRename, onBlur, onLeave }: ChatNameFieldProps) {
  const [draft, setDraft] = useState(name);
  // Leaving by key also blurs the field, and that blur must not save
  const hasLeft = useRef(false);

  function commit(): void {
    const title = draft.trim();
    if (title !== "" && title !== name) onRename(title);
  }

  return (
    <Input
      autoFocus
      aria-label={`New name of ${name}`}
      maxLength={120}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onFocus={(event) => event.target.select()}
      onBlur={() => {
        if (hasLeft.current) return;
        onBlur();
        commit();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== "Escape") return;
        // Otherwise the button or sidebar would handle the same press
        event.preventDefault();
        event.stopPropagation();
        hasLeft.current = true;
        if (event.key === "Enter") commit();
        onLeave();
      }}
    />
  );
}
