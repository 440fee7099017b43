import { EMPTY_OWNER_HISTORY, type OwnerHistory } from "../../../domain/owner-history.ts";
import { EMPTY_RISK_LEDGER, type RiskLedger } from "../../../domain/risk-ledger.ts";

const toTime = (stored: string | number | null | undefined): number | null =>
  stored === undefined || stored === null ? null : Number(stored);

/** Returns the risk figures a lane stores; empty when none were stored. */
export function toRiskLedger(risk: unknown): RiskLedger {
  const stored = risk as Partial<Record<Exclude<keyof RiskLedger, "own">, string | number | null>>;
  if (stored.day === undefined) return EMPTY_RISK_LEDGER;
  return {
    consecutiveFailures: Number(stored.consecutiveFailures ?? 0),
    failingSinceMs: toTime(stored.failingSinceMs),
    day: String(stored.day),
    realizedAtDayStart: BigInt(stored.realizedAtDayStart ?? 0),
    portfolioAtDayStart: BigInt(stored.portfolioAtDayStart ?? 0),
    lossSinceMs: toTime(stored.lossSinceMs),
    own: toOwnerHistory((risk as { readonly own?: unknown }).own),
  };
}

/** Returns the owner's limit history; empty in records older than owner limits. */
function toOwnerHistory(own: unknown): OwnerHistory {
  if (own === undefined || own === null) return EMPTY_OWNER_HISTORY;
  const stored = own as Partial<Record<keyof OwnerHistory, string | number | null>>;
  return {
    entriesToday: Number(stored.entriesToday ?? 0),
    lossesInRow: Number(stored.lossesInRow ?? 0),
    lostAtMs: toTime(stored.lostAtMs),
    realizedBeforeEntry: toAmount(stored.realizedBeforeEntry),
    peak: toAmount(stored.peak),
    netDepositsSeen: BigInt(stored.netDepositsSeen ?? 0),
    peakSeenMs: toTime(stored.peakSeenMs),
    fallSinceMs: toTime(stored.fallSinceMs),
  };
}

const toAmount = (stored: string | number | null | undefined): bigint | null =>
  stored === undefined || stored === null ? null : BigInt(stored);
