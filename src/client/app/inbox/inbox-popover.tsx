import { type ReactElement, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { NotLoaded } from "../../ui/not-loaded.tsx";
import { Popover } from "../../ui/popover.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TimeText } from "../../ui/time-text.tsx";
import { type InboxItem, type InboxLinks, inboxWords } from "./inbox-words.ts";

interface InboxPopoverProps {
  readonly trigger: ReactElement;
  /** Undefined until they are loaded. */
  readonly items: readonly InboxItem[] | undefined;
  readonly links: InboxLinks;
  /** Present where loading failed. */
  readonly retry: (() => unknown) | null;
  readonly onOpen: () => void;
}

/** Popover with the newest entries; initially open, because the first click on its button loads it. */
export default function InboxPopover({ trigger, items, links, retry, onOpen }: InboxPopoverProps) {
  const [isOpen, setOpen] = useState(true);
  return (
    <Popover
      label="Inbox"
      open={isOpen}
      onOpenChange={(opens) => {
        setOpen(opens);
        if (opens) onOpen();
      }}
      className="w-[400px] max-w-[calc(100vw-16px)]"
      trigger={trigger}
    >
      <h2 className="border-b px-4 py-2.5 text-sm font-semibold">Inbox</h2>
      {items !== undefined ? (
        <InboxList items={items} links={links} onLeave={() => setOpen(false)} />
      ) : (
        <div className="p-4">
          {retry === null ? (
            <Skeleton className="h-24" />
          ) : (
            <NotLoaded onRetry={retry}>The inbox could not be loaded.</NotLoaded>
          )}
        </div>
      )}
    </Popover>
  );
}

interface InboxListProps {
  readonly items: readonly InboxItem[];
  readonly links: InboxLinks;
  readonly onLeave: () => void;
}

function InboxList({ items, links, onLeave }: InboxListProps) {
  if (items.length === 0) {
    return (
      <p className="p-4 text-sm text-muted">
        Trades, closings and orders that were refused will be listed here.
      </p>
    );
  }
  return (
    <ul aria-label="Newest first" className="max-h-[60vh] overflow-y-auto">
      {items.map((item) => {
        const { title, message } = inboxWords(item);
        return (
          <li key={item.entry.id} className="border-b px-4 py-2.5 last:border-b-0">
            <div className="flex items-baseline justify-between gap-3">
              <p className="min-w-0 text-sm font-medium">{title}</p>
              <TimeText
                at={item.entry.at}
                as="short"
                className="shrink-0 text-2xs whitespace-nowrap text-faint"
              />
            </div>
            <p className="text-xs wrap-break-word text-muted">
              {item.agent}
              {message !== undefined && `: ${message}`}
            </p>
            <div className="mt-1.5 flex gap-1.5">
              {(
                [
                  ["See chart", links.seeChart],
                  ["See why", links.seeWhy],
                ] as const
              ).map(([label, run]) => (
                <Button
                  key={label}
                  size="small"
                  aria-label={`${label}: ${title}`}
                  onClick={() => {
                    onLeave();
                    run(item);
                  }}
                >
                  {label}
                </Button>
              ))}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
