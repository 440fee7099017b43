import { clsx } from "clsx";

/** Order of a table by one of its columns. */
export interface SortOrder<C extends string> {
  readonly column: C;
  readonly isAscending: boolean;
}

interface SortHeadProps<C extends string> {
  readonly column: C;
  readonly order: SortOrder<C>;
  readonly onOrder: (order: SortOrder<C>) => void;
  readonly className?: string | undefined;
}

/** Head of a column; a click sorts by it, descending first, the next one the other way round. */
export function SortHead<C extends string>({
  column,
  order,
  onOrder,
  className,
}: SortHeadProps<C>) {
  const isSorted = order.column === column;
  const direction = order.isAscending ? "ascending" : "descending";
  return (
    <th
      scope="col"
      aria-sort={isSorted ? direction : undefined}
      className={clsx("font-medium", className)}
    >
      <button
        type="button"
        onClick={() => onOrder({ column, isAscending: isSorted && !order.isAscending })}
        className="-mx-1 rounded-sm px-1 py-1 whitespace-nowrap hover:text-ink"
      >
        {column}
        {isSorted && <span aria-hidden>{order.isAscending ? " ↑" : " ↓"}</span>}
      </button>
    </th>
  );
}
