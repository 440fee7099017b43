import { clsx } from "clsx";
import type { PaletteSearch } from "./use-palette-search.ts";

/** Found entries of the command palette, by group. */
export function PaletteList({ search }: { readonly search: PaletteSearch }) {
  const { found, current } = search;
  const groups = [...new Set(found.map(({ group }) => group))];
  return (
    <div
      id={search.listId}
      role="listbox"
      aria-label="Results"
      className={clsx("min-h-0 grow overflow-y-auto p-1.5", found.length === 0 && "hidden")}
    >
      {groups.map((group) => (
        <div key={group} role="group" aria-labelledby={search.groupId(group)}>
          <div
            id={search.groupId(group)}
            role="presentation"
            className="px-2.5 pt-2 pb-1 text-2xs font-medium text-faint"
          >
            {group}
          </div>
          {found
            .filter((entry) => entry.group === group)
            .map((entry) => (
              <div
                key={entry.id}
                id={search.optionId(entry)}
                role="option"
                tabIndex={-1}
                aria-selected={entry === current}
                onClick={entry.run}
                onKeyDown={search.onKey}
                onPointerMove={() => search.choose(entry)}
                className={clsx(
                  "flex min-h-9 cursor-default items-center rounded-md px-2.5 text-sm",
                  entry === current && "bg-hover",
                )}
              >
                <span className="truncate">{entry.label}</span>
              </div>
            ))}
        </div>
      ))}
    </div>
  );
}
