import { KeyRound, Search, X } from "lucide-react";
import { useStore } from "zustand";
import { aiChoice, hostOf } from "../../lib/ai/ai-settings.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Input } from "../../ui/input.tsx";

interface ChatToolbarProps {
  /** Search text; null while the search is closed. */
  readonly search: string | null;
  readonly onSearch: (search: string | null) => void;
  /** Number of messages containing the text; null without a search. */
  readonly foundCount: number | null;
  /** Whether all messages of the chat were searched. */
  readonly isWhole: boolean;
  readonly onApiKey: () => void;
}

/** Toolbar with model, host and the search in this chat. */
export function ChatToolbar(props: ChatToolbarProps) {
  const { search, onSearch, foundCount, isWhole, onApiKey } = props;
  const choice = useStore(aiChoice);
  return (
    <div className="flex h-10 shrink-0 items-center gap-1 border-b px-2">
      {search === null ? (
        <>
          <p className="min-w-0 grow truncate pl-1 text-2xs text-faint">
            {choice.currentModel} · {hostOf(choice)}
          </p>
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
            onClick={onApiKey}
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
