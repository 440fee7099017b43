import { clsx } from "clsx";
import { useState } from "react";
import { formatSlippagePercent, SLIPPAGE_PRESETS_BPS } from "../../../domain/slippage.ts";
import { Field } from "../../ui/field.tsx";
import { NumberText } from "../../ui/number-text.tsx";
import { acceptsSlippage } from "./check-form.ts";

const PRESETS = SLIPPAGE_PRESETS_BPS.map((bps) => formatSlippagePercent(bps));

interface SlippageFieldProps {
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (percent: string) => void;
}

export function SlippageField({ value, error, onChange }: SlippageFieldProps) {
  const [isCustom, setCustom] = useState(!PRESETS.includes(value));
  const shown = isCustom || !PRESETS.includes(value);
  const choice = (label: string, isOn: boolean, pick: () => void) => (
    <button
      key={label}
      type="button"
      aria-pressed={isOn}
      onClick={pick}
      className={clsx(
        "tint h-8 grow rounded-md border px-3 text-sm font-medium",
        isOn
          ? "border-accent-text bg-accent-soft text-accent-text"
          : "border-line-strong bg-surface text-muted hover:text-ink",
      )}
    >
      {label}
    </button>
  );
  return (
    <Field label="Max slippage" error={error} hint="Worst price move an order accepts">
      <div className="flex flex-wrap gap-2">
        {PRESETS.map((preset) =>
          choice(`${preset}%`, !shown && preset === value, () => {
            setCustom(false);
            onChange(preset);
          }),
        )}
        {choice("Custom", shown, () => setCustom(true))}
        {shown && (
          <NumberText
            className="min-w-24 grow basis-full sm:basis-0"
            aria-label="Custom slippage in percent, 0.01 to 5"
            maxDecimals={2}
            unit="%"
            value={value}
            onValueChange={(text) => acceptsSlippage(text) && onChange(text)}
          />
        )}
      </div>
    </Field>
  );
}
