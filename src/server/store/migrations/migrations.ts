import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { initialTables } from "./0001-initial.ts";
import { practiceTables } from "./0002-practice.ts";
import { custodyFlags } from "./0003-custody-flags.ts";
import { retentionIndexes } from "./0004-retention.ts";
import { orderTimes } from "./0005-order-times.ts";
import { revokedKeys } from "./0006-revoked-keys.ts";
import { checkedByLane } from "./0007-checked-by-lane.ts";
import { laneVersion } from "./0008-lane-version.ts";
import { landedSlot } from "./0009-landed-slot.ts";
import { tradeLogReads } from "./0010-trade-log-reads.ts";
import { orderStates } from "./0011-order-states.ts";
import { exits } from "./0012-exits.ts";
import { blockhashSlots } from "./0014-blockhash-slots.ts";
import { accountNumbers } from "./0016-account-numbers.ts";
import { reconcileMarks } from "./0017-reconcile-marks.ts";
import { ownerEntries } from "./0018-owner-entries.ts";
import { begunDeletions } from "./0019-begun-deletions.ts";
import { usedNonces } from "./0026-used-nonces.ts";
import { confirmedSessions } from "./0027-confirmed-sessions.ts";
import { installation } from "./0028-installation.ts";
import { replacedTokenAlerts } from "./0030-replaced-token-alerts.ts";
import { appendOnlyAudit } from "./0031-append-only-audit.ts";
import { sessionBrowsers } from "./0032-session-browsers.ts";
import { closedByStop } from "./0033-closed-by-stop.ts";
import { alertConditions } from "./0034-alert-conditions.ts";
import { candles } from "./0035-candles.ts";
import { decisions } from "./0037-decisions.ts";
import { ledger } from "./0038-ledger.ts";
import { feePayers } from "./0039-fee-payers.ts";
import { readTokens } from "./0040-read-tokens.ts";
import { ownerLimits } from "./0041-owner-limits.ts";
import { ownerFlows } from "./0042-owner-flows.ts";
import { limitsMarket } from "./0043-limits-market.ts";
import { notices } from "./0044-notices.ts";
import { noticeCodes } from "./0049-notice-codes.ts";
import { knownScales } from "./0050-known-scales.ts";
import { tradingState } from "./0051-trading-state.ts";
import { probedAt } from "./0052-probed-at.ts";
import { narrowAlertEvents } from "./0053-narrow-alert-events.ts";
import { countedVersions } from "./0054-counted-versions.ts";
import { figuresOfProcesses } from "./0055-figures-of-processes.ts";
import { reconcileRounds } from "./0056-reconcile-rounds.ts";
import { ownerFees } from "./0057-owner-fees.ts";
import { restoredLanes } from "./0058-restored-lanes.ts";
import { followedTrades } from "./0059-followed-trades.ts";
import { beginAtTheDeposit } from "./0060-begin-at-the-deposit.ts";
import { deletions } from "./0061-deletions.ts";
import { openingEntries } from "./0062-opening-entries.ts";
import { runningSums } from "./0063-running-sums.ts";
import { triedVariants } from "./0064-tried-variants.ts";
import { accountDifferences } from "./0068-account-differences.ts";
import { seenProcesses } from "./0070-seen-processes.ts";

/** Every migration by the name it is recorded under, in order; a released one never changes. */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001-initial": run(initialTables),
  "0002-practice": run(practiceTables),
  "0003-custody-flags": run(custodyFlags),
  "0004-retention": run(retentionIndexes),
  "0005-order-times": run(orderTimes),
  "0006-revoked-keys": run(revokedKeys),
  "0007-checked-by-lane": run(checkedByLane),
  "0008-lane-version": run(laneVersion),
  "0009-landed-slot": run(landedSlot),
  "0010-trade-log-reads": run(tradeLogReads),
  "0011-order-states": run(orderStates),
  "0012-exits": run(exits),
  "0014-blockhash-slots": run(blockhashSlots),
  "0016-account-numbers": run(accountNumbers),
  "0017-reconcile-marks": run(reconcileMarks),
  "0018-owner-entries": run(ownerEntries),
  "0019-begun-deletions": run(begunDeletions),
  "0026-used-nonces": run(usedNonces),
  "0027-confirmed-sessions": run(confirmedSessions),
  "0028-installation": run(installation),
  "0030-replaced-token-alerts": run(replacedTokenAlerts),
  "0031-append-only-audit": run(appendOnlyAudit),
  "0032-session-browsers": run(sessionBrowsers),
  "0033-closed-by-stop": run(closedByStop),
  "0034-alert-conditions": run(alertConditions),
  "0035-candles": run(candles),
  "0037-decisions": run(decisions),
  "0038-ledger": run(ledger),
  "0039-fee-payers": run(feePayers),
  "0040-read-tokens": run(readTokens),
  "0041-owner-limits": run(ownerLimits),
  "0042-owner-flows": run(ownerFlows),
  "0043-limits-market": run(limitsMarket),
  "0044-notices": run(notices),
  "0049-notice-codes": run(noticeCodes),
  "0050-known-scales": run(knownScales),
  "0051-trading-state": run(tradingState),
  "0052-probed-at": run(probedAt),
  "0053-narrow-alert-events": run(narrowAlertEvents),
  "0054-counted-versions": run(countedVersions),
  "0055-figures-of-processes": run(figuresOfProcesses),
  "0056-reconcile-rounds": run(reconcileRounds),
  "0057-owner-fees": run(ownerFees),
  "0058-restored-lanes": run(restoredLanes),
  "0059-followed-trades": run(followedTrades),
  "0060-begin-at-the-deposit": run(beginAtTheDeposit),
  "0061-deletions": run(deletions),
  "0062-opening-entries": run(openingEntries),
  "0063-running-sums": run(runningSums),
  "0064-tried-variants": run(triedVariants),
  "0068-account-differences": run(accountDifferences),
  "0070-seen-processes": run(seenProcesses),
};

function run(text: string): Migration {
  return {
    async up(db) {
      await sql.raw(text).execute(db);
    },
  };
}
