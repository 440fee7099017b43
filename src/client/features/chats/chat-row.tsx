import { clsx } from "clsx";
import { Pencil, Trash2 } from "lucide-react";
import { type MouseEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Chat } from "../../queries/chats.ts";
import { ConditionBadge } from "../../ui/condition-badge.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { TimeText } from "../../ui/time-text.tsx";
import { ChatNameField } from "./chat-name-field.tsx";
import { chatName } from "./group-chats.ts";

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

export function ChatRow(props: ChatRowProps) {
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
