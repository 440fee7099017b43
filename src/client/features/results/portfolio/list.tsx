import type { ReactNode } from "react";
import { Card } from "../../../ui/card.tsx";

interface ListProps {
  readonly title: string;
  readonly empty: string;
  readonly children: ReactNode;
}

/** Card with a titled list, or a sentence when empty. */
export function List({ title, empty, children }: ListProps) {
  const isEmpty = Array.isArray(children) ? children.length === 0 : !children;
  return (
    <Card aria-label={title} className="min-w-0">
      <h4 className="mb-1 text-sm font-semibold">{title}</h4>
      {isEmpty ? <p className="text-sm text-muted">{empty}</p> : <ul>{children}</ul>}
    </Card>
  );
}

/** Row of a list: name and figures. */
export function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <li className="flex justify-between gap-3 border-b border-line py-1.5 text-sm last:border-b-0">
      <span className="shrink-0 text-muted">{name}</span>
      <span className="min-w-0 text-right tabular-nums">{children}</span>
    </li>
  );
}
