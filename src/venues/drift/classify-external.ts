import type { Address } from "@solana/kit";
import type { TransactionOutcome } from "../../solana/chain.ts";
import { isLogCut, linesOf } from "../../solana/program-logs.ts";
import type { ExternalActivity } from "../ports.ts";
import { parseBookEvent } from "./book-events.ts";
import { DIRECTION } from "./instruction-arguments.ts";
import {
  ORDER_ACTION,
  type OrderActionRecord,
  parseOrderActionLog,
} from "./order-action-record.ts";
import type { DriftInstance } from "./instance.ts";

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
  if (record.action !== ORDER_ACTION.fill) return 0n;
  const isTaker = record.taker === user;
  if (!isTaker && record.maker !== user) return 0n;
  const direction = isTaker ? record.takerOrderDirection : record.makerOrderDirection;
  const size = record.baseAssetAmountFilled ?? 0n;
  return direction === DIRECTION.long ? size : -size;
}

/** Another user's liquidation may name our account: as the maker it traded with, or for no reason at all. */
function isLiquidationOf(user: Address, line: string): boolean {
  const event = parseBookEvent(line);
  return event?.kind === "liquidation" && event.record.user === user;
}

/** Others may name our account as the other side of their orders; only its own order is placed in its name. */
function isPlacedFor(user: Address, line: string): boolean {
  const record = parseOrderActionLog(line);
  if (record?.action !== ORDER_ACTION.place) return false;
  return record.taker === user || record.maker === user;
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
    const market = Object.entries(instance.perpMarketIndexes).find(
      ([, index]) => index === record?.marketIndex,
    );
    if (base === 0n || market === undefined) continue;
    fills.set(market[0], (fills.get(market[0]) ?? 0n) + base);
  }
  return { kind: "upkeep", fills };
}
