import type { KeyboardEvent, PointerEvent } from "react";

interface SplitBarProps {
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly label: string;
  /** Id of the pane that the bar resizes. */
  readonly controls: string;
  readonly onMove: (clientX: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onReset: () => void;
}

/** Resize bar between two panes. The pointer target extends 10 px for touch and 4 px for a mouse. */
export function SplitBar({ value, label, controls, onMove, onReset, ...rest }: SplitBarProps) {
  function take(event: PointerEvent<HTMLDivElement>): void {
    if (event.button !== 0) return;
    // Prevents text selection during the drag; focus makes arrow keys continue from the dragged position
    event.preventDefault();
    event.currentTarget.focus();
    event.currentTarget.setPointerCapture(event.pointerId);
  }
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-controls={controls}
      aria-valuenow={Math.round(value)}
      aria-valuemin={rest.min}
      aria-valuemax={rest.max}
      className="relative z-10 w-px shrink-0 cursor-col-resize touch-none bg-line outline-offset-0 select-none before:absolute before:inset-y-0 before:-inset-x-1 hover:bg-accent active:bg-accent pointer-coarse:before:-inset-x-2.5"
      onPointerDown={take}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onMove(event.clientX);
      }}
      onDoubleClick={onReset}
      onKeyDown={rest.onKeyDown}
    />
  );
}
