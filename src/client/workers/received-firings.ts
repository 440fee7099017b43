import type { PastAlert } from "../../contract/signals.ts";
import { nameKey } from "../../domain/name-key.ts";
import type { RecordedFiring } from "../../strategy/simulation.ts";

/** Returns counted alerts as firings: a condition's at its bar's close, others at their arrival. */
export const receivedFirings = (alerts: readonly PastAlert[]): RecordedFiring[] =>
  alerts
    .filter(({ hasCounted }) => hasCounted)
    .map(({ alertName, receivedAt, closedAt }) => ({
      alertKey: nameKey(alertName),
      atMs: Date.parse(closedAt ?? receivedAt),
    }))
    .toSorted((a, b) => a.atMs - b.atMs);
