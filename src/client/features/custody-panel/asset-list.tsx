import type { CustodyAccess } from "../../queries/custody.ts";
import { Button } from "../../ui/button.tsx";

interface AssetListProps {
  readonly assets: NonNullable<CustodyAccess["assets"]>;
  /** True while the agent trades, which disables moving assets. */
  readonly isTrading: boolean;
  readonly onMove: (symbol: string) => void;
}

/** Vault assets other than SOL and the quote token, each with a button to move it to the owner's wallet. */
export function AssetList({ assets, isTrading, onMove }: AssetListProps) {
  if (assets.length === 0) return null;
  return (
    <section aria-label="Assets in the vault" className="flex flex-col gap-1.5">
      <h4 className="text-xs font-semibold">Assets in the vault</h4>
      <ul className="flex flex-col gap-1.5">
        {assets.map(({ symbol, amount }) => (
          <li
            key={symbol}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-md border border-line bg-raised px-3 py-2 text-xs"
          >
            <span className="font-medium">
              {amount} {symbol}
            </span>
            {!isTrading && (
              <Button size="small" onClick={() => onMove(symbol)}>
                Move {symbol} to your wallet
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p className="text-xs text-muted">
        {isTrading
          ? "The agent trades with them. To move them to your wallet, turn Auto-Trade off first."
          : "Moving takes the asset itself out of the vault. To sell it, close the position."}
      </p>
    </section>
  );
}
