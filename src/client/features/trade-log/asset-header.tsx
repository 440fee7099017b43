/** The log's header names the product's first asset. Spec: workspace §2 */
export function AssetHeader() {
  return (
    <div className="flex items-center gap-2">
      <span
        aria-hidden
        className="inline-flex size-7 items-center justify-center rounded-full bg-accent-soft text-2xs font-semibold text-accent-text"
      >
        S
      </span>
      <h2 className="text-base font-semibold">
        Solana <span className="font-normal text-muted">SOL</span>
      </h2>
    </div>
  );
}
