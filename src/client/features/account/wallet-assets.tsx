import type { getBalances } from "../../../contract/wallet.ts";
import type { ResponseOf } from "../../../contract/route.ts";
import { sizeDecimals } from "../../lib/format.ts";
import { Figure } from "../../ui/figure.tsx";

interface WalletAssetsProps {
  readonly assets: NonNullable<ResponseOf<typeof getBalances>["assets"]>;
}

/** Returns a token's label; SOL in a token account is wrapped SOL, which cannot pay fees. */
const nameOf = (symbol: string): string => (symbol === "SOL" ? "SOL (wrapped)" : symbol);

/** List of wallet tokens that agents trade, for instance those moved out of a vault. */
export function WalletAssets({ assets }: WalletAssetsProps) {
  if (assets.length === 0) return null;
  return (
    <section aria-label="Assets in your wallet" className="px-3 pb-3">
      <h3 className="pb-1 text-2xs text-faint">Assets in your wallet</h3>
      <ul className="flex flex-col rounded-md border bg-raised">
        {assets.map(({ symbol, amount }) => (
          <li key={symbol} className="flex justify-between gap-4 px-2.5 py-1 text-sm">
            <span>{nameOf(symbol)}</span>
            <Figure value={amount} decimals={sizeDecimals(amount)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
