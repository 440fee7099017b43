import type { ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { formatDecimal } from "../../domain/amount.ts";
import { PRICE_DECIMALS } from "../../domain/market.ts";
import { LAMPORT_DECIMALS } from "../custody/account/custody-limits.ts";
import type { CheckUnit } from "../../domain/risk-check.ts";
import type { DecisionLine } from "../store/orders/decision-lines.ts";
import type { StoredFacts } from "./stored-facts.ts";

type Checks = ResponseOf<typeof ROUTES.listDecisions>["decisions"][number]["checks"];

type Decimals = Pick<DecisionLine, "baseDecimals" | "quoteDecimals">;

/** Names of the units in which figures are sent, with their decimals applied. */
const WIRE_UNITS = {
  orders: "orders",
  trades: "trades",
  milliseconds: "seconds",
  lamports: "sol",
  price: "price",
  quote: "quote",
  base: "base",
} as const satisfies Readonly<Record<CheckUnit, string>>;

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
      unit: WIRE_UNITS[unit],
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
    case "lamports":
      return LAMPORT_DECIMALS;
    case "price":
      return PRICE_DECIMALS;
    case "quote":
      return quoteDecimals;
    case "base":
      return baseDecimals;
  }
}
