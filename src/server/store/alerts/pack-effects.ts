import type { AlertEffects, RuleEffect } from "../../../domain/alert-effect.ts";
import { SIGNALS } from "../../../domain/signal.ts";

/** In the order of their codes; `alert_effects` in the database names the same. */
const KINDS: readonly RuleEffect["kind"][] = ["counted", "full", "fired", "reset"];

const byte = (value: number): string => value.toString(16).padStart(2, "0");

/**
 * Packs the effects on rules as hex for the column `effects`; the database's function `alert_effects` unpacks them.
 *
 * Per rule: id (16 bytes), signal, kind, number of conditions; per condition: alert id (16 bytes), count, required
 * count.
 */
export const packEffects = ({ rules }: AlertEffects): string =>
  rules
    .map(({ ruleId, action, kind, conditions }) => {
      const counts = conditions.map(
        ({ alertKey, count, requiredCount }) => alertKey + byte(count) + byte(requiredCount),
      );
      const codes = [SIGNALS.indexOf(action), KINDS.indexOf(kind), conditions.length];
      return ruleId + codes.map(byte).join("") + counts.join("");
    })
    .join("");
