import { Bell } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { INBOX_ENTRIES, listInbox } from "../../../contract/trade-log.ts";
import type { ChatId } from "../../../domain/ids.ts";
import { useActionContext } from "../../actions/action-context.ts";
import { useOwner } from "../../lib/session.ts";
import { storedText } from "../../lib/stored.ts";
import { toastEvent } from "../../lib/toast.ts";
import { useRead } from "../../queries/read.ts";
import { shownDecision } from "../../tabs/handed-over.ts";
import { showTab } from "../../tabs/open-tabs.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { lazyPart, PartExit } from "../../ui/lazy-part.tsx";
import {
  countUnread,
  type InboxItem,
  type InboxLinks,
  inboxWords,
  newsSince,
} from "./inbox-words.ts";

const InboxPopover = lazyPart(() => import("./inbox-popover.tsx"), {
  isAbove: true,
  standIn: ({ trigger }) => trigger,
});
const WhatNextDialog = lazyPart(() => import("./what-next-dialog.tsx"), { isAbove: true });

/** Returns the actions that show an entry where it belongs. */
function useLinks(): InboxLinks {
  const { chatId, selectChat } = useActionContext();
  const go = (to: ChatId, tab: string) => {
    // The address is the chat's first, because showing a tab keeps the rest of it
    if (to !== chatId) selectChat(to);
    showTab(tab);
    // The button that was pressed goes away with its toast or popover
    document.querySelector<HTMLElement>("#workspace")?.focus();
  };
  return {
    seeChart: ({ chatId: to }: InboxItem) => go(to, "charts"),
    seeWhy({ chatId: to, entry }: InboxItem) {
      shownDecision.setState({ chatId: to, entryId: entry.id }, true);
      go(to, "causal-factor-graphs");
    },
  };
}

/** Bell with the wallet's newest trades and failed orders; tells of each as it happens. */
export default function Inbox() {
  const owner = useOwner();
  const read = useRead(listInbox, {});
  const items = read.data;
  const seen = storedText(`inbox-seen/${owner}`);
  const [seenAt, setSeenAt] = useState(() => seen.read() ?? "");
  const [wasOpened, setOpened] = useState(false);
  const [next, setNext] = useState<InboxItem | null>(null);
  useTold(items, setNext);
  const unread = countUnread(items ?? [], seenAt);
  const links = useLinks();

  function markSeen(): void {
    const newest = items?.[0]?.entry.at;
    if (newest === undefined) return;
    seen.write(newest);
    setSeenAt(newest);
  }
  const trigger = (
    <IconButton
      aria-haspopup="dialog"
      onPointerEnter={InboxPopover.preload}
      onFocus={InboxPopover.preload}
      onClick={() => {
        setOpened(true);
        markSeen();
      }}
      label={unread === 0 ? "Inbox" : `Inbox, ${unread} unread`}
      icon={
        <span className="relative inline-flex">
          <Bell aria-hidden />
          {unread > 0 && (
            <span
              aria-hidden
              className="absolute -top-2 -right-2.5 inline-flex h-4 min-w-4 items-center justify-center rounded-full bg-accent px-1 text-2xs font-semibold text-accent-ink"
            >
              {unread}
            </span>
          )}
        </span>
      }
    />
  );
  return (
    <>
      {wasOpened ? (
        <PartExit value={() => setOpened(false)}>
          <Suspense fallback={trigger}>
            <InboxPopover
              trigger={trigger}
              items={items}
              links={links}
              retry={read.isError ? read.refetch : null}
              onOpen={markSeen}
            />
          </Suspense>
        </PartExit>
      ) : (
        trigger
      )}
      {next !== null && (
        <Suspense>
          <WhatNextDialog item={next} onClose={() => setNext(null)} />
        </Suspense>
      )}
    </>
  );
}

/** Tells of entries as they come, the very first trade until it is closed; nothing of what was there before. */
function useTold(items: readonly InboxItem[] | undefined, onNext: (item: InboxItem) => void): void {
  const { seeChart, seeWhy } = useLinks();
  const before = useRef<readonly InboxItem[] | null>(null);
  useEffect(() => {
    if (items === undefined) return;
    const last = before.current;
    before.current = items;
    const latest = last === null ? undefined : newsSince(items, last).at(-1);
    if (latest === undefined) return;
    const isFirst =
      latest.entry.status === "success" &&
      items.length < INBOX_ENTRIES &&
      items.filter(({ entry }) => entry.status === "success").length === 1;
    const { title, message } = inboxWords(latest);
    toastEvent(
      { title, message: message ?? latest.agent },
      {
        stays: isFirst,
        actions: [
          { label: "See chart", run: () => seeChart(latest) },
          { label: "See why", run: () => seeWhy(latest) },
          { label: "What next", run: () => onNext(latest) },
        ],
      },
    );
  });
}
