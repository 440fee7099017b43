import type { ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { formatDecimal } from "../../domain/amount.ts";
import { PRICE_DECIMALS } from "../../domain/market.ts";
import type { CheckUnit } from "../../domain/risk-check.ts";
import type { DecisionLine } from "../store/orders/decision-lines.ts";
import type { StoredFacts } from "./stored-facts.ts";

type Checks = ResponseOf<typeof ROUTES.listDecisions>["decisions"][number]["checks"];

type Decimals = Pick<DecisionLine, "baseDecimals" | "quoteDecimals">;

/** Returns checks in their wire format, figures as exact decimal text. */
export function presentChecks(checks: StoredFacts["checks"], decimals: Decimals): Checks {
  return checks.map(({ name, reason, hasPassed, figures }) => {
    const check = { name, reason, hasPassed };
    if (figures === null) return check;
    const { unit, figure, limit } = figures;
    const places = placesOf(unit, decimals);
    // Without the market's decimals no amount can be shown
    if (places === null) return check;
    return {
      ...check,
      unit: unit === "milliseconds" ? ("seconds" as const) : unit,
      ...(figure !== null && { figure: formatDecimal(BigInt(figure), places) }),
      ...(limit !== null && { limit: formatDecimal(BigInt(limit), places) }),
    };
  });
}

function placesOf(unit: CheckUnit, { baseDecimals, quoteDecimals }: Decimals): number | null {
  switch (unit) {
    case "orders":
    case "trades":
      return 0;
    case "milliseconds":
      return 3;
    case "price":
      return PRICE_DECIMALS;
    case "quote":
      return quoteDecimals;
    case "base":
      return baseDecimals;
  }
}
