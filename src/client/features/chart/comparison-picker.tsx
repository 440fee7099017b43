import { Plus, TriangleAlert, X } from "lucide-react";
import { useTheme } from "../../lib/theme.ts";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import {
  addComparison,
  type ComparisonAsset,
  comparisonColour,
  offeredComparisons,
  removeComparison,
} from "./comparison.ts";
import type { ComparisonData } from "./use-chart-data.ts";
import type { ReactNode } from "react";

interface ComparisonPickerProps {
  readonly mainAsset: string;
  readonly comparisons: readonly ComparisonData[];
  readonly onChange: (assets: readonly ComparisonAsset[]) => void;
}

export function ComparisonPicker({ mainAsset, comparisons, onChange }: ComparisonPickerProps) {
  const theme = useTheme();
  const chosen = comparisons.map(({ asset }) => asset);
  const offered = offeredComparisons(chosen, mainAsset);
  return (
    <>
      {offered.length > 0 && (
        <Menu
          align="start"
          trigger={
            <Button size="small" tone="ghost">
              <Plus aria-hidden />
              <span className="max-sm:sr-only">Compare</span>
            </Button>
          }
          entries={offered.map((asset) => ({
            id: asset,
            label: asset,
            onSelect: () => onChange(addComparison(chosen, asset)),
          }))}
        />
      )}
      {chosen.length > 0 && (
        <div className="flex flex-wrap items-center gap-1 max-sm:order-last max-sm:w-full">
          {comparisons.map(({ asset, hasFailed }) => (
            <Chip
              key={asset}
              removeLabel={`Remove ${asset}`}
              onRemove={() => onChange(removeComparison(chosen, asset))}
            >
              <span className="inline-flex items-center gap-1.5">
                {hasFailed ? (
                  <TriangleAlert
                    role="img"
                    aria-label="Could not be loaded"
                    className="size-3 text-warn"
                  />
                ) : (
                  <span
                    aria-hidden
                    className="size-2 rounded-full"
                    style={{ background: comparisonColour(asset, theme) }}
                  />
                )}
                {asset}
              </span>
            </Chip>
          ))}
        </div>
      )}
    </>
  );
}

interface ChipProps {
  readonly children: ReactNode;
  /** Accessible name of the remove button; absent shows none. */
  readonly removeLabel?: string;
  readonly onRemove?: () => void;
}

function Chip({ children, removeLabel, onRemove }: ChipProps) {
  return (
    <span className="inline-flex h-6 items-center gap-0.5 rounded-full border border-line bg-raised pl-2.5 text-xs has-[button]:pr-0 not-has-[button]:pr-2.5">
      {children}
      {onRemove && (
        <button
          type="button"
          aria-label={removeLabel}
          onClick={onRemove}
          className="tint inline-flex size-6 items-center justify-center rounded-full text-faint hover:bg-hover hover:text-ink"
        >
          <X aria-hidden className="size-3" />
        </button>
      )}
    </span>
  );
}
