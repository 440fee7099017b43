import { clsx } from "clsx";

/** Column of a table by its name; one with figures is aligned to the right. */
type Column = string | { readonly right: string } | { readonly hidden: string };

interface TableHeadProps {
  readonly columns: readonly Column[];
  /** Padding of the cells, as in the rows. */
  readonly cell: string;
  readonly className?: string;
}

/** Head of a table: its columns' names. */
export const TableHead = ({ columns, cell, className }: TableHeadProps) => (
  <thead className={clsx("text-left text-faint", className)}>
    <tr>
      {columns.map((column, index) => (
        <th
          key={index}
          scope="col"
          className={clsx(
            "font-medium",
            cell,
            typeof column === "object" && "right" in column && "text-right",
          )}
        >
          {typeof column === "string" ? (
            column
          ) : "right" in column ? (
            column.right
          ) : (
            <span className="sr-only">{column.hidden}</span>
          )}
        </th>
      ))}
    </tr>
  </thead>
);
