import { clsx } from "clsx";
import { Pencil, Trash2 } from "lucide-react";
import { type MouseEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Chat } from "../../queries/chats.ts";
import { ConditionBadge } from "../../ui/condition-badge.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Input } from "../../ui/input.tsx";
import { TimeText } from "../../ui/time-text.tsx";
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
  const [draft, setDraft] = useState<string | null>(null);
  const renameRef = useRef<HTMLButtonElement>(null);
  // Leaving by key also blurs the field, and that blur must not save
  const hasLeft = useRef(false);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const name = chatName(chat);

  /** Ends renaming by key and returns the focus to the button that began it. */
  function leave(): void {
    hasLeft.current = true;
    flushSync(() => setDraft(null));
    renameRef.current?.focus();
  }

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
    hasLeft.current = false;
    setDraft(name);
  }

  function commit(): void {
    if (hasLeft.current) return;
    const title = draft?.trim() ?? "";
    setDraft(null);
    if (title !== "" && title !== name) onRename(title);
  }

  if (draft !== null) {
    return (
      <li className="p-1">
        <Input
          autoFocus
          aria-label={`New name of ${name}`}
          maxLength={120}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onFocus={(event) => event.target.select()}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key !== "Enter" && event.key !== "Escape") return;
            // Otherwise the button or sidebar would handle the same press
            event.preventDefault();
            event.stopPropagation();
            if (event.key === "Enter") commit();
            leave();
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
