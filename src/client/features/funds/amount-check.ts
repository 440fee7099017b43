import type { QuoteToken } from "../../custody/worth.tsx";
import { formatDecimal, parseDecimal } from "../../../domain/amount.ts";
import { groupThousands } from "../../lib/format.ts";
import { useQuery } from "@tanstack/react-query";
import type { Agent } from "../../../contract/agent.ts";
import { deploymentQuery } from "../../queries/deployment.ts";
import { VENUE_PROFILES } from "../../../venues/profiles.ts";

/** Result of checking an amount; a refusal carries the specified text. */
export type AmountCheck =
  | { readonly kind: "ok"; readonly units: bigint }
  | { readonly kind: "refused"; readonly title: string; readonly message: string };

const refused = (title: string, message: string): AmountCheck => ({
  kind: "refused",
  title,
  message,
});

/** Checks a deposit against the wallet's balance; with an unknown balance only the server checks. */
export function checkDeposit(text: string, balance: string | null, quote: QuoteToken): AmountCheck {
  const units = parseDecimal(text, quote.decimals);
  if (units === null || units === 0n) {
    return refused("Invalid Amount", "Please enter a valid deposit amount greater than zero.");
  }
  const held = balance === null ? null : parseDecimal(balance, quote.decimals);
  if (held !== null && units > held) {
    return refused(
      "Insufficient balance",
      `Your wallet holds ${groupThousands(formatDecimal(held, quote.decimals))} ${quote.symbol}.`,
    );
  }
  return { kind: "ok", units };
}

/** Checks a withdrawal against the withdrawable amount; with an unknown one only the server checks. */
export function checkWithdrawal(
  text: string,
  maximum: string | null,
  quote: QuoteToken,
): AmountCheck {
  const units = parseDecimal(text, quote.decimals);
  if (units === null || units === 0n) {
    return refused("Invalid Amount", "Please enter a valid amount greater than zero.");
  }
  const held = maximum === null ? null : parseDecimal(maximum, quote.decimals);
  if (held !== null && units > held) {
    return refused(
      "Insufficient withdrawable funds",
      `Insufficient withdrawable funds: Maximum withdrawable amount is ${groupThousands(formatDecimal(held, quote.decimals))} ${quote.symbol} (considering margin requirements)`,
    );
  }
  return { kind: "ok", units };
}

/** Returns the balance after the deposit as text; null when the amount is invalid or the balance unknown. */
export function balanceAfter(
  text: string,
  balance: string | null,
  quote: QuoteToken,
): string | null {
  const checked = checkDeposit(text, balance, quote);
  const held = balance === null ? null : parseDecimal(balance, quote.decimals);
  if (checked.kind !== "ok" || held === null) return null;
  return formatDecimal(held - checked.units, quote.decimals);
}

/** Returns the settlement token of the agent's venue on its network. */
export function useQuote({ network, venue }: Agent): QuoteToken {
  const deployment = useQuery(deploymentQuery).data;
  const state = deployment?.networks
    .find((each) => each.network === network)
    ?.venues.find((each) => each.venue === venue);
  const usual = VENUE_PROFILES[venue].quote;
  return {
    symbol: state?.quoteSymbol ?? usual.symbol,
    decimals: state?.quoteDecimals ?? usual.decimals,
  };
}
