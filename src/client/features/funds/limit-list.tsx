import { parseDecimal } from "../../../domain/amount.ts";
import type { Network } from "../../../domain/network.ts";
import { LimitWorth } from "../../custody/worth.tsx";
import type { CustodyAccess } from "../../../contract/custody.ts";

export type SpendingLimit = NonNullable<CustodyAccess["limits"]>[number];

const PERIODS = {
  once: { span: "once", left: "left" },
  day: { span: "a day", left: "left today" },
  week: { span: "a week", left: "left this week" },
  month: { span: "a month", left: "left this month" },
} as const;

/** Decimals in which the amounts of limits are compared; no token here has more. */
const DECIMALS = 9;

interface LimitListProps {
  readonly network: Network;
  readonly quoteSymbol: string;
  readonly limits: readonly SpendingLimit[];
  /** Address of our trading key, the only destination a limit may have. */
  readonly tradingKey: string;
}

function Destination({ limit, tradingKey }: { limit: SpendingLimit; tradingKey: string }) {
  const others = limit.destinations.filter((destination) => destination !== tradingKey);
  if (limit.destinations.length === 0) {
    return <span className="text-down">to anybody</span>;
  }
  if (others.length > 0) {
    return <span className="break-all text-down">to {others.join(", ")}</span>;
  }
  return (
    <>
      only to the trading key&apos;s own account; the server swaps it on in the same transaction, a
      thief would keep it
    </>
  );
}

/** Spending limits of the trading key per token; empty when it has none. */
export function LimitList({ limits, tradingKey, network, quoteSymbol }: LimitListProps) {
  if (limits.length === 0) return null;
  const ofQuote = limits.find(({ symbol }) => symbol === quoteSymbol);
  const units = (amount: string) => parseDecimal(amount, DECIMALS) ?? 0n;
  return (
    <section aria-label="Spending limits" className="flex flex-col gap-1.5">
      <h4 className="text-xs font-semibold">The most the trading key could move</h4>
      <ul className="flex flex-col gap-1.5">
        {limits.map((limit) => {
          const { span, left } = PERIODS[limit.period];
          return (
            <li
              key={limit.account}
              className="flex flex-col gap-0.5 rounded-md border border-line bg-raised px-3 py-2 text-xs"
            >
              <span className="flex flex-wrap justify-between gap-x-4">
                <span className="font-medium">
                  {limit.amount} {limit.symbol} {span}
                </span>
                <span>
                  {limit.remaining} {limit.symbol} {left}
                </span>
              </span>
              <span className="text-muted">
                <Destination limit={limit} tradingKey={tradingKey} />
              </span>
              {limit.symbol !== quoteSymbol && limit.period === "day" && (
                <LimitWorth
                  network={network}
                  limit={{ symbol: limit.symbol, amount: units(limit.amount), decimals: DECIMALS }}
                  quote={{ symbol: quoteSymbol, decimals: DECIMALS }}
                  quoteLimit={ofQuote?.period === "day" ? units(ofQuote.amount) : null}
                />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
