interface UnbookedLineProps {
  /** Number of on-chain transactions that are not final. */
  readonly count: number;
}

/** Note about transactions that the ledger does not count yet; empty when complete. */
export function UnbookedLine({ count }: UnbookedLineProps) {
  return (
    <p role="status" className="text-xs text-muted empty:hidden">
      {count > 0 &&
        `${count === 1 ? "1 transaction is" : `${count} transactions are`} not in the book yet: pending until the chain says ${count === 1 ? "it is" : "they are"} final.`}
    </p>
  );
}
