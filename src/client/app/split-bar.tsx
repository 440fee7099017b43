import type { KeyboardEvent, PointerEvent } from "react";

interface SplitBarProps {
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly label: string;
  /** Id of the pane whose width this is. */
  readonly controls: string;
  readonly onMove: (clientX: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onReset: () => void;
}

/** The line between two panes. Only a hair is seen; a finger may miss it by ten pixels, a mouse by four. */
export function SplitBar({ value, label, controls, onMove, onReset, ...rest }: SplitBarProps) {
  function take(event: PointerEvent<HTMLDivElement>): void {
    if (event.button !== 0) return;
    // Nothing is selected while it moves, and the keys go on where the pointer left off
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
