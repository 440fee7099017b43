import type { PendingEntry } from "../src/domain/ledger/entry.ts";
import type { LoggedTrade } from "./closed-pnl-model.ts";

/** Returns the pending entries of a trade by the signal that it carried out; none for one that traded nothing. */
export function pendingTrade(
  { signal, baseSize, quoteTotal, fee }: LoggedTrade,
  { signature, market }: { readonly signature: string; readonly market: string },
): readonly PendingEntry[] {
  if (baseSize === 0n) return [];
  const isBuy = signal === "OPEN_LONG" || signal === "CLOSE_SHORT";
  const account = { place: "position", subAccount: 0, market, asset: "USDC" } as const;
  const at = { ...account, decimals: 6, signature, slot: 1n, atMs: 0, index: 0 };
  const base = { marketId: market, decimals: 9, amount: isBuy ? baseSize : -baseSize };
  if (signal === "MOVE_ASSET") {
    return [{ ...at, kind: "withdrawal", amount: 0n, base, effect: null }];
  }
  const effect = signal.startsWith("OPEN_") ? "opens" : "closes";
  return [
    { ...at, kind: "trade", amount: isBuy ? -quoteTotal : quoteTotal, base, effect },
    { ...at, kind: "fee", amount: -fee, effect: null },
  ];
}
