interface UnbookedLineProps {
  /** Number of on-chain transactions that are not final. */
  readonly count: number;
}

/** Note about transactions that the curve does not have yet; empty when complete. */
export function UnbookedLine({ count }: UnbookedLineProps) {
  return (
    <p role="status" className="text-xs text-muted empty:hidden">
      {count > 0 &&
        `${count === 1 ? "1 transaction is" : `${count} transactions are`} not final yet: in the money and the trades, in curve and returns once final.`}
    </p>
  );
}
