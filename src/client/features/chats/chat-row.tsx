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
  /** Words around what a search found in its messages. */
  readonly excerpt?: string | undefined;
  readonly isCurrent: boolean;
  readonly onSelect: () => void;
  /** Selected, and no second click makes a renaming of it: the list may go. */
  readonly onLeave: () => void;
  readonly onRename: (title: string) => void;
  readonly onDelete: () => void;
}

/** How long a second click may take to make a double click, in milliseconds. */
const DOUBLE_CLICK_MS = 350;

/** Stored answers end in a footer for the page, which nobody wrote. */
const readable = (excerpt: string) => excerpt.split("```wheelhouse-answer", 1)[0]?.trim() ?? "";

export function ChatRow(props: ChatRowProps) {
  const { chat, excerpt, isCurrent, onSelect, onLeave, onRename, onDelete } = props;
  const [draft, setDraft] = useState<string | null>(null);
  const renameRef = useRef<HTMLButtonElement>(null);
  // Leaving by key takes the focus from the field, which is no reason to keep what is in it
  const hasLeft = useRef(false);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const name = chatName(chat);

  /** By key the focus goes back to where the renaming began; by pointer it is where the user put it. */
  function leave(): void {
    hasLeft.current = true;
    flushSync(() => setDraft(null));
    renameRef.current?.focus();
  }

  /** By key and by touch the list goes at once. */
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
            // The rest of the press would otherwise be the button's, or the sidebar's
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
