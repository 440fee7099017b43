import { useQuery } from "@tanstack/react-query";
import { formatDecimal } from "../../../../domain/amount.ts";
import { PRICE_DECIMALS } from "../../../../domain/market.ts";
import { isBuiltIn, type Network } from "../../../../domain/network.ts";
import {
  largestPercentOf,
  liquidationPriceOf,
  type SizeSettings,
} from "../../../../domain/plan/size.ts";
import type { PlanSides } from "../../../../domain/plan/plan-words.ts";
import type { Side } from "../../../../domain/position.ts";
import { priceUnits } from "../../../../strategy/fill-model.ts";
import { symbolOf } from "../../../../venues/profiles.ts";
import { displayPrice } from "../../../lib/format.ts";
import { candlesQuery } from "../../../queries/candles.ts";
import { InlineNumber } from "../rules/inline-number.tsx";
import { Line } from "./distance-fields.tsx";

interface LeverageLineProps {
  readonly settings: SizeSettings;
  readonly sides: PlanSides;
  readonly network: Network;
  readonly asset: string;
  /** Of the market, in millionths; absent until it is read. */
  readonly maintenancePpm: number | undefined;
  readonly fault: string | null;
  readonly onChange: (leverage: number) => void;
}

/** Leverage of entries, with the price at which the exchange liquidates an entry of now. */
export function LeverageLine(props: LeverageLineProps) {
  const { settings, sides, maintenancePpm, fault, onChange, ...market } = props;
  return (
    <Line name="leverage" onDelete={() => onChange(1)}>
      Entries are
      <InlineNumber
        label="Leverage, times"
        value={settings.leverage}
        suffix="times"
        fault={fault}
        onChange={onChange}
      />
      their share of the collateral.
      {Number.isInteger(settings.leverage) && (
        <Liquidation
          settings={settings}
          sides={sides}
          maintenancePpm={maintenancePpm}
          {...market}
        />
      )}
    </Line>
  );
}

const shown = (units: bigint): string => `$${displayPrice(formatDecimal(units, PRICE_DECIMALS))}`;

function Liquidation({
  settings,
  sides,
  network,
  asset,
  maintenancePpm,
}: Omit<LeverageLineProps, "fault" | "onChange">) {
  const candles = useQuery(
    candlesQuery({ network, symbol: symbolOf(asset), interval: "1m", limit: 1 }),
  );
  const price = priceUnits(candles.data?.candles.at(-1)?.close ?? 0);
  if (maintenancePpm === undefined || price === null) {
    return <p className="w-full text-xs text-muted">The liquidation price is not read yet.</p>;
  }
  const percent = largestPercentOf(settings);
  const words = (side: Side): string => {
    const liquidated = liquidationPriceOf(side, price, percent, maintenancePpm);
    return liquidated === null ? `a ${side} by no price` : `a ${side} at ${shown(liquidated)}`;
  };
  return (
    <p className="w-full text-xs text-muted">
      {`Entered at ${shown(price)}, the price of now, the exchange liquidates ${sides.map(words).join(", ")}. The entry's own price, fees and funding move that.`}
      {isBuiltIn(network) && " The exchange of Practice and Paper liquidates nobody."}
    </p>
  );
}
