import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { InlineNumber } from "./inline-number.tsx";

interface BarsAgoProps {
  readonly place: string;
  readonly bars: number;
  readonly fault: string | null;
  readonly onChange: (bars: number) => void;
}

/** Field for the offset of a value's bar: the closing bar, or an earlier one. */
export function BarsAgo({ place, bars, fault, onChange }: BarsAgoProps) {
  const [isOpen, setOpen] = useState(bars !== 0);
  if (!isOpen) {
    return (
      <Button
        size="small"
        tone="ghost"
        aria-label={`This bar, ${place}; choose an earlier one`}
        onClick={() => {
          setOpen(true);
          onChange(1);
        }}
      >
        this bar
      </Button>
    );
  }
  return (
    <InlineNumber
      className="max-w-12"
      suffix="bars ago"
      label={`Bars ago, ${place}`}
      value={bars}
      fault={fault}
      onChange={onChange}
    />
  );
}
