import type { Agent } from "../../queries/agent.ts";
import type { Performance } from "../../queries/performance.ts";
import { assetOf } from "../../../venues/profiles.ts";
import { Card } from "../../ui/card.tsx";
import { GapNotes } from "./gap-notes.tsx";
import { GrowthCard } from "./growth-card.tsx";
import { Headlines } from "./headlines.tsx";
import { MoneyList } from "./money-list.tsx";
import { MonthTable } from "./month-table.tsx";
import { Simulated } from "./simulated.tsx";
import { TradeList } from "./trade-list.tsx";
import { useHold } from "./use-hold.ts";
import type { SignedInWallet } from "../../lib/session.ts";

interface PerformanceReportProps {
  readonly address: SignedInWallet;
  readonly shown: Performance;
  readonly agent: Agent;
  /** True while another span loads. */
  readonly isOld: boolean;
}

/** Figures, curves, money and trades of one span. */
export function PerformanceReport({ address, shown, agent, isOld }: PerformanceReportProps) {
  const asset = assetOf(agent.marketId);
  const hold = useHold(agent.network, asset, shown);
  const isDrawn = shown.curve.filter(({ value }) => value !== null).length > 1;
  return (
    <div
      className={isOld ? "flex flex-col gap-4 opacity-60" : "flex flex-col gap-4"}
      aria-busy={isOld}
    >
      <Headlines shown={shown} asset={asset} hold={hold} />
      <GapNotes
        shown={shown}
        asset={asset}
        missing={hold.isLoading || !isDrawn ? [] : hold.missing}
      />
      <GrowthCard curve={shown.curve} asset={asset} hold={hold} isDrawn={isDrawn} />
      {isDrawn && <Simulated address={address} agent={agent} shown={shown} />}
      <div className="grid gap-4 lg:grid-cols-2">
        <Card aria-labelledby="performance-money">
          <h3 id="performance-money" className="mb-1 text-sm font-semibold">
            Money
          </h3>
          <MoneyList shown={shown} />
        </Card>
        <Card aria-labelledby="performance-trades">
          <h3 id="performance-trades" className="mb-1 text-sm font-semibold">
            Trades
          </h3>
          <TradeList shown={shown} />
        </Card>
      </div>
      <Card aria-labelledby="performance-months">
        <h3 id="performance-months" className="mb-2 text-sm font-semibold">
          Returns by month
        </h3>
        <MonthTable months={shown.months} />
        {shown.months.some(({ isPartial }) => isPartial) && (
          <p className="mt-2 text-2xs text-faint">
            * Not the whole month is known. Months are UTC.
          </p>
        )}
      </Card>
    </div>
  );
}
