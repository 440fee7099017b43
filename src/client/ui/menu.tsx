import { cloneElement, lazy, type ReactElement, Suspense, useState } from "react";
import type { MenuEntry } from "./menu-entry.ts";

interface MenuProps {
  /** A button. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly entries: readonly MenuEntry[];
  readonly align?: "start" | "end";
}

const load = () => import("./menu-popup.tsx");
const MenuPopup = lazy(load);

/** A button with a menu; the menu's code comes with the first hover, focus or click. */
export function Menu({ trigger, entries, align = "end" }: MenuProps) {
  const [wasOpened, setOpened] = useState(false);
  const closed = cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onClick: () => setOpened(true),
    onPointerEnter: () => void load(),
    onFocus: () => void load(),
  });
  if (!wasOpened) return closed;
  return (
    <Suspense fallback={closed}>
      <MenuPopup trigger={trigger} entries={entries} align={align} />
    </Suspense>
  );
}
