import { Plus, TriangleAlert } from "lucide-react";
import { useTheme } from "../../lib/theme.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Menu } from "../../ui/menu.tsx";
import {
  addComparison,
  type ComparisonAsset,
  comparisonColour,
  offeredComparisons,
  removeComparison,
} from "./comparison.ts";
import type { ComparisonData } from "./use-chart-data.ts";

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
    <div className="flex flex-wrap items-center gap-1 max-sm:order-last max-sm:w-full">
      {offered.length > 0 && (
        <Menu
          align="start"
          trigger={
            <Button size="small" tone="ghost">
              <Plus aria-hidden />
              Compare
            </Button>
          }
          entries={offered.map((asset) => ({
            id: asset,
            label: asset,
            onSelect: () => onChange(addComparison(chosen, asset)),
          }))}
        />
      )}
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
  );
}
