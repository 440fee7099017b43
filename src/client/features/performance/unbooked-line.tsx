interface UnbookedLineProps {
  /** Transactions on chain that are not final yet. */
  readonly count: number;
}

/** Says what the figures of a book do not count yet; nothing when they count everything. */
export function UnbookedLine({ count }: UnbookedLineProps) {
  return (
    <p role="status" className="text-xs text-muted empty:hidden">
      {count > 0 &&
        `${count === 1 ? "1 transaction is" : `${count} transactions are`} not in the book yet: pending until the chain says ${count === 1 ? "it is" : "they are"} final.`}
    </p>
  );
}
