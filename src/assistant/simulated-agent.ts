import type { AlertCondition } from "../domain/condition/condition.ts";
import { parseInterval } from "../domain/interval.ts";
import { findMarket } from "../venues/profiles.ts";
import { nameKey } from "../domain/name-key.ts";
import { type OwnerLimits, toOwnerLimits } from "../domain/owner-limits.ts";
import type { Plan } from "../domain/plan/plan.ts";
import type { Signal } from "../domain/signal.ts";
import type { VenueId } from "../domain/venue-id.ts";
import type { SimulatedAgent } from "../strategy/simulation.ts";

/** Fields of an agent, form or template that determine its trades. */
export interface DescribedAgent {
  readonly venue: VenueId;
  readonly marketId: string;
  /** Like 30m or 1h. */
  readonly interval: string;
  /** Percent. */
  readonly positionSizePercent: number;
  readonly slippagePercent: number;
  /** What is done with a position once it is open; absent: nothing. */
  readonly plan?: Plan | undefined;
  /** Absent: 1. */
  readonly leverage?: number | undefined;
  /** Owner limits; absent ones do not limit. */
  readonly limits?: Partial<Record<keyof OwnerLimits, number | undefined>> | undefined;
}

/**
 * Returns an agent in the simulation's form, or null while its market or interval is invalid. Alerts are identified by
 * name.
 *
 * Rules are in the order of their creation, as the server lists them. The trading key's daily limits are not included;
 * the caller adds them when known.
 */
export function simulatedAgent(
  described: DescribedAgent,
  alerts: readonly { readonly name: string; readonly condition?: AlertCondition | undefined }[],
  rules: readonly {
    readonly action: Signal | "";
    readonly portion?: number | undefined;
    readonly conditions: readonly {
      readonly alertName: string;
      readonly requiredCount?: number | undefined;
    }[];
  }[],
): SimulatedAgent | null {
  const market = findMarket(described.venue, described.marketId);
  const interval = parseInterval(described.interval);
  if (market === undefined || interval === null) return null;
  return {
    market,
    intervalMinutes: interval.minutes,
    positionSizePercent: described.positionSizePercent,
    slippageBps: Math.round(described.slippagePercent * 100),
    ...(described.plan && { plan: described.plan }),
    ...(described.leverage && { leverage: described.leverage }),
    limits: toOwnerLimits(described.limits ?? {}),
    dailyLimits: null,
    alerts: alerts.map(({ name, condition }) => ({ alertKey: nameKey(name), name, condition })),
    rules: rules.flatMap(({ action, portion, conditions }, at) =>
      action === "" || conditions.length === 0
        ? []
        : [
            {
              ruleId: `${at}`,
              action,
              ...(portion !== undefined && { portion }),
              conditions: conditions.map(({ alertName, requiredCount = 1 }) => ({
                alertKey: nameKey(alertName),
                requiredCount,
              })),
            },
          ],
    ),
  };
}
