import { cloneElement, type ReactElement, Suspense, useState } from "react";
import { lazyPart, PartExit } from "./lazy-part.tsx";
import type { MenuEntry } from "./menu-popup.tsx";

interface MenuProps {
  /** Button that opens the menu. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly entries: readonly MenuEntry[];
  readonly align?: "start" | "end";
}

const MenuPopup = lazyPart(() => import("./menu-popup.tsx"), {
  isAbove: true,
  standIn: ({ trigger }) => trigger,
});

/** Menu button; the menu's code loads on the first hover, focus or click. */
export function Menu({ trigger, entries, align = "end" }: MenuProps) {
  const [wasOpened, setOpened] = useState(false);
  const closed = cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onClick: () => setOpened(true),
    onPointerEnter: MenuPopup.preload,
    onFocus: MenuPopup.preload,
  });
  if (!wasOpened) return closed;
  return (
    <PartExit value={() => setOpened(false)}>
      <Suspense fallback={closed}>
        <MenuPopup trigger={trigger} entries={entries} align={align} />
      </Suspense>
    </PartExit>
  );
}
