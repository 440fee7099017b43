import { Menu as Base } from "@base-ui/react/menu";
import { clsx } from "clsx";
import type { ReactElement, ReactNode } from "react";

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  /** What the entry is for, below its label. */
  readonly note?: string | undefined;
  readonly icon?: ReactNode;
  readonly disabled?: boolean;
  readonly tone?: "danger";
  readonly onSelect: () => void;
}

interface MenuPopupProps {
  readonly trigger: ReactElement;
  readonly entries: readonly MenuEntry[];
  readonly align: "start" | "end";
}

/** Menu popup; initially open, because the first click on its trigger loads it. */
export default function MenuPopup({ trigger, entries, align }: MenuPopupProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align={align} className="z-40">
          <Base.Popup className="fade min-w-44 rounded-md border border-line bg-surface p-1 shadow-pop outline-none">
            {entries.map((entry) => (
              <Base.Item
                key={entry.id}
                aria-describedby={entry.note === undefined ? undefined : `note-${entry.id}`}
                onClick={entry.onSelect}
                disabled={entry.disabled ?? false}
                className={clsx(
                  "flex min-h-7 cursor-default items-center gap-2 rounded-sm px-2 text-sm outline-none data-disabled:text-faint data-highlighted:bg-hover [&_svg]:size-4",
                  entry.tone === "danger" && "text-down",
                )}
              >
                {entry.icon}
                {entry.note === undefined ? (
                  entry.label
                ) : (
                  <span className="flex flex-col py-1">
                    {entry.label}
                    <span aria-hidden id={`note-${entry.id}`} className="text-2xs text-muted">
                      {entry.note}
                    </span>
                  </span>
                )}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
