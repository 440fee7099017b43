import { nameKey } from "../../domain/name-key.ts";
import type { RecordedFiring } from "../../strategy/simulation.ts";
import type { PastAlert } from "../queries/past-alerts.ts";

/** Returns the alerts that counted as a simulation takes them: a condition's at its bar's close, others as they came. */
export const receivedFirings = (alerts: readonly PastAlert[]): RecordedFiring[] =>
  alerts
    .filter(({ hasCounted }) => hasCounted)
    .map(({ alertName, receivedAt, closedAt }) => ({
      alertKey: nameKey(alertName),
      atMs: Date.parse(closedAt ?? receivedAt),
    }))
    .toSorted((a, b) => a.atMs - b.atMs);
