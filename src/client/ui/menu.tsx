import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useState } from "react";

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  readonly disabled?: boolean;
  readonly tone?: "danger";
  readonly onSelect: () => void;
}

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
