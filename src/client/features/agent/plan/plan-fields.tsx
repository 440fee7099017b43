import { Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { formatDecimal } from "../../../../domain/amount.ts";
import { PRICE_DECIMALS } from "../../../../domain/market.ts";
import { isBuiltIn } from "../../../../domain/network.ts";
import type { Distance, Plan } from "../../../../domain/plan/plan.ts";
import type { PlanSides } from "../../../../domain/plan/plan-words.ts";
import type { Side } from "../../../../domain/position.ts";
import { priceUnits } from "../../../../strategy/fill-model.ts";
import { displayPrice } from "../../../lib/format.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Select } from "../../../ui/select.tsx";
import type { PreviewMarket } from "../rules/condition-preview.tsx";
import { InlineNumber } from "../rules/inline-number.tsx";
import { usePlanBars } from "./plan-picture.tsx";
import { largestPercentOf, liquidationPriceOf } from "../../../../domain/plan/size.ts";

interface LineProps {
  readonly name: string;
  readonly onDelete: () => void;
  readonly children: ReactNode;
}

/** One sentence of the plan. */
export function Line({ name, onDelete, children }: LineProps) {
  return (
    <li
      aria-label={`Plan: ${name}`}
      className="flex items-start gap-2 rounded-md border border-line bg-surface p-2 text-sm"
    >
      <div className="flex min-w-0 grow flex-wrap items-center gap-x-2 gap-y-1.5">{children}</div>
      <IconButton
        size="small"
        label={`Delete ${name}`}
        icon={<Trash2 aria-hidden />}
        onClick={onDelete}
      />
    </li>
  );
}

interface PercentProps {
  readonly label: string;
  readonly bps: number;
  readonly fault: string | null;
  readonly onChange: (bps: number) => void;
}

/** Field for a percentage, kept in basis points. */
export const Percent = ({ label, bps, fault, onChange }: PercentProps) => (
  <InlineNumber
    label={label}
    value={bps / 100}
    maxDecimals={2}
    suffix="%"
    fault={fault}
    onChange={(percent) => onChange(Math.round(percent * 100))}
  />
);

const DISTANCES = [
  { value: "percent", label: "of the price" },
  { value: "atr", label: "times the ATR" },
];

interface DistanceFieldsProps {
  /** For instance "Stop". */
  readonly name: string;
  readonly at: Distance;
  readonly fault: string | null;
  readonly onChange: (at: Distance) => void;
}

/** Fields of a distance: percent, or a multiple of the ATR. */
export function DistanceFields({ name, at, fault, onChange }: DistanceFieldsProps) {
  const kinds = (
    <Select
      className="max-w-36"
      aria-label={`${name} measured in`}
      value={at.kind}
      options={DISTANCES}
      onValueChange={(kind) =>
        onChange(
          kind === "atr"
            ? { kind, length: 14, timesHundredths: 200 }
            : { kind: "percent", bps: 300 },
        )
      }
    />
  );
  if (at.kind === "percent") {
    return (
      <>
        <Percent
          label={`${name}, %`}
          bps={at.bps}
          fault={fault}
          onChange={(bps) => onChange({ ...at, bps })}
        />
        {kinds}
      </>
    );
  }
  return (
    <>
      <InlineNumber
        label={`${name}, times the ATR`}
        value={at.timesHundredths / 100}
        maxDecimals={2}
        fault={fault}
        onChange={(times) => onChange({ ...at, timesHundredths: Math.round(times * 100) })}
      />
      {kinds}
      <InlineNumber
        label={`${name}, bars of the ATR`}
        value={at.length}
        prefix="of"
        suffix="bars"
        fault={null}
        onChange={(length) => onChange({ ...at, length })}
      />
    </>
  );
}

/** Leverage of an agent's entries, and what the price of its liquidation needs. */
export interface LeverageField {
  readonly value: number;
  readonly positionSizePercent: number;
  /** Of the venue: the stop has to be nearer than the liquidation of each. */
  readonly sides: PlanSides;
  /** Of the market, in millionths; absent until it is read. */
  readonly maintenancePpm: number | undefined;
  readonly onChange: (leverage: number) => void;
}

interface LeverageLineProps {
  readonly field: LeverageField;
  readonly plan: Plan | null;
  readonly market: PreviewMarket | null;
  readonly fault: string | null;
}

/** Leverage of entries, with the price at which the exchange liquidates an entry of now. */
export function LeverageLine({ field, plan, market, fault }: LeverageLineProps) {
  const { value, onChange } = field;
  return (
    <Line name="leverage" onDelete={() => onChange(1)}>
      Entries are
      <InlineNumber
        label="Leverage, times"
        value={value}
        suffix="times"
        fault={fault}
        onChange={onChange}
      />
      their share of the collateral.
      {market !== null && Number.isInteger(value) && (
        <Liquidation field={field} plan={plan} market={market} />
      )}
    </Line>
  );
}

const shown = (units: bigint): string => `$${displayPrice(formatDecimal(units, PRICE_DECIMALS))}`;

function Liquidation({
  field: { value: leverage, positionSizePercent, sides, maintenancePpm },
  plan,
  market,
}: Omit<LeverageLineProps, "market" | "fault"> & { readonly market: PreviewMarket }) {
  const { bars } = usePlanBars(market, plan ?? {});
  const price = priceUnits(bars.at(-1)?.close ?? 0);
  if (maintenancePpm === undefined || price === null) {
    return <p className="w-full text-xs text-muted">The liquidation price is not read yet.</p>;
  }
  const percent = largestPercentOf({ plan, leverage, positionSizePercent });
  const words = (side: Side): string => {
    const liquidated = liquidationPriceOf(side, price, percent, maintenancePpm);
    return liquidated === null ? `a ${side} by no price` : `a ${side} at ${shown(liquidated)}`;
  };
  return (
    <p className="w-full text-xs text-muted">
      {`Entered at ${shown(price)}, the last close, the exchange liquidates ${sides.map(words).join(", ")}. The entry's own price, fees and funding move that.`}
      {isBuiltIn(market.network) && " The exchange of Practice and Paper liquidates nobody."}
    </p>
  );
}
