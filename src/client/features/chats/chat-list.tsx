import { KeyRound, Landmark, Plus, Search } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { ChatId } from "../../../domain/ids.ts";
import type { Chat } from "../../queries/chats.ts";
import { Button } from "../../ui/button.tsx";
import { Input } from "../../ui/input.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import { ChatGroup } from "./chat-group.tsx";
import { ChatRow } from "./chat-row.tsx";
import { groupChats } from "./group-chats.ts";

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
export function ChatList(props: ChatListProps) {
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
      <div className="flex gap-2">
        <Button tone="primary" className="grow" disabled={!isSignedIn} onClick={props.onCreate}>
          <Plus aria-hidden />
          Create
        </Button>
        <Tooltip label="Coming Soon">
          <Button aria-disabled className="cursor-not-allowed opacity-60">
            <Landmark aria-hidden />
            Bond
          </Button>
        </Tooltip>
      </div>
      <div className="relative">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-2 left-2.5 size-4 text-faint"
        />
        <Input
          type="search"
          aria-label="Search chats"
          placeholder="Search"
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            props.onSearch(event.target.value);
          }}
          className="pl-8"
        />
      </div>
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
        {props.extra}
      </div>
    </div>
  );
}
