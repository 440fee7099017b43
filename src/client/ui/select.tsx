import { CSPProvider } from "@base-ui/react/csp-provider";
import { Select as Base } from "@base-ui/react/select";
import { clsx } from "clsx";
import { Check, ChevronsUpDown } from "lucide-react";
import { CONTROL_STYLE, useFieldLinks } from "./field-context.ts";

export interface SelectOption {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
  /** Small text at the end, for instance "Coming Soon". */
  readonly note?: string;
}

export interface SelectGroup {
  readonly label?: string;
  readonly options: readonly SelectOption[];
}

interface SelectProps {
  readonly value: string;
  readonly onValueChange: (value: string) => void;
  /** Options without groups. */
  readonly options?: readonly SelectOption[];
  readonly groups?: readonly SelectGroup[];
  readonly placeholder?: string;
  readonly disabled?: boolean;
  /** Needed only outside a Field. */
  readonly "aria-label"?: string;
  readonly className?: string;
}

export function Select(props: SelectProps) {
  const { value, onValueChange, options = [], groups = [{ options }], className } = props;
  const { placeholder = "Select…", disabled } = props;
  const links = useFieldLinks();
  const labels = Object.fromEntries(
    groups.flatMap((group) => group.options.map((option) => [option.value, option.label])),
  );
  return (
    // The library's style element is unused here and the content policy would block it
    <CSPProvider disableStyleElements>
      <Base.Root
        // An opened select picks the first value when its options change; a key per options remounts it instead
        key={Object.keys(labels).join("\n")}
        items={labels}
        value={value === "" ? null : value}
        onValueChange={(next) => next !== null && onValueChange(next)}
        disabled={disabled ?? false}
      >
        <Base.Trigger
          {...links}
          aria-label={props["aria-label"]}
          className={clsx(
            CONTROL_STYLE,
            "flex h-8 items-center justify-between gap-2 px-2.5 text-left data-disabled:cursor-not-allowed data-disabled:opacity-60",
            className,
          )}
        >
          <Base.Value className="min-w-0 truncate">
            {(current: string | null) =>
              current ? (
                (labels[current] ?? current)
              ) : (
                <span className="text-faint">{placeholder}</span>
              )
            }
          </Base.Value>
          <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-faint" />
        </Base.Trigger>
        <Base.Portal>
          <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
            <Base.Popup className="fade max-h-72 max-w-(--available-width) min-w-(--anchor-width) overflow-y-auto rounded-md border border-line bg-surface p-1 shadow-pop outline-none">
              {groups.map((group, index) => (
                <Base.Group key={group.label ?? index}>
                  {group.label && (
                    <Base.GroupLabel className="px-2 pt-2 pb-1 text-2xs font-medium text-faint">
                      {group.label}
                    </Base.GroupLabel>
                  )}
                  {group.options.map((option) => (
                    <Base.Item
                      key={option.value}
                      value={option.value}
                      disabled={option.disabled ?? false}
                      className="flex min-h-7 cursor-default items-center gap-2 rounded-sm px-2 text-sm outline-none data-disabled:text-faint data-highlighted:bg-hover"
                    >
                      <Base.ItemText className="min-w-0 grow wrap-anywhere">
                        {option.label}
                      </Base.ItemText>
                      {option.note && <span className="text-xs text-faint">{option.note}</span>}
                      <Base.ItemIndicator>
                        <Check aria-hidden className="size-3.5 text-accent-text" />
                      </Base.ItemIndicator>
                    </Base.Item>
                  ))}
                </Base.Group>
              ))}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  );
}
