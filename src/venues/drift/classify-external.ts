import type { Address } from "@solana/kit";
import type { TransactionOutcome } from "../../solana/chain.ts";
import { isLogCut, linesOf } from "../../solana/program-logs.ts";
import type { ExternalActivity } from "../ports.ts";
import { parseBookEvent } from "./book-events.ts";
import {
  ORDER_ACTION,
  type OrderActionRecord,
  ownSide,
  parseOrderActionLog,
} from "./order-action-record.ts";
import { type DriftInstance, tradedMarket } from "./instance.ts";

/** Instructions that keepers call: they fill, trigger or cancel existing orders, update markets and settle. */
const UPKEEP: ReadonlySet<string> = new Set([
  "FillPerpOrder",
  "RevertFill",
  "TriggerOrder",
  "ForceCancelOrders",
  "SettlePnl",
  "SettleMultiplePnls",
  "SettleFundingPayment",
  "SettleExpiredMarket",
  "UpdateUserIdle",
  "UpdateFundingRate",
  "UpdateAmms",
  "UpdatePerpBidAskTwap",
  "PostPythPullOracleUpdate",
  "PostMultiPythPullOracleUpdatesAtomic",
  "PostPythLazerOracleUpdate",
]);

const LIQUIDATION = /^(Liquidate|ResolvePerp|ResolveSpot|SetUserStatusToBeingLiquidated)/;

/** Returns the names of the exchange's instructions a transaction ran, from its logs. */
function calledOf({ programId }: DriftInstance, logs: readonly string[]): readonly string[] {
  return logs.flatMap((line, at) => {
    const isInvoked = logs[at - 1]?.startsWith(`Program ${programId} invoke [`) === true;
    const name = /^Program log: Instruction: (\w+)$/.exec(line)?.[1];
    return isInvoked ? [name ?? "unnamed"] : [];
  });
}

function filledBase(record: OrderActionRecord, user: Address): bigint {
  const own = record.action === ORDER_ACTION.fill ? ownSide(record, user) : undefined;
  if (own === undefined) return 0n;
  return own.isBuying ? own.base : -own.base;
}

/** Another user's liquidation may name our account: as the maker it traded with, or for no reason at all. */
function isLiquidationOf(user: Address, line: string): boolean {
  const event = parseBookEvent(line);
  return event?.kind === "liquidation" && event.record.user === user;
}

/** Others may name our account as the other side of their orders; only its own order is placed in its name. */
function isPlacedFor(user: Address, line: string): boolean {
  const record = parseOrderActionLog(line);
  return record?.action === ORDER_ACTION.place && ownSide(record, user) !== undefined;
}

const without = (kind: ExternalActivity["kind"]): ExternalActivity => ({ kind, fills: new Map() });

/**
 * Classifies a foreign transaction on an account as keeper activity or other use, by the instructions it called and whom
 * they liquidated.
 */
export function classifyExternalFrom(
  instance: DriftInstance,
  user: Address,
  outcome: TransactionOutcome,
): ExternalActivity {
  const called = calledOf(instance, outcome.logs);
  const lines = linesOf(instance.programId, outcome.logs);
  if (lines.some((line) => isLiquidationOf(user, line))) return without("liquidation");
  if (lines.some((line) => isPlacedFor(user, line))) return without("trade");
  const isUpkeep = called.every((name) => UPKEEP.has(name) || LIQUIDATION.test(name));
  if (called.length === 0 || !isUpkeep) return without("unknown");
  if (isLogCut(outcome.logs)) return without("cut");
  const fills = new Map<string, bigint>();
  for (const line of lines) {
    const record = parseOrderActionLog(line);
    const base = record === undefined ? 0n : filledBase(record, user);
    const market = tradedMarket(instance, record?.marketIndex);
    if (base === 0n || market === undefined) continue;
    fills.set(market, (fills.get(market) ?? 0n) + base);
  }
  return { kind: "upkeep", fills };
}
