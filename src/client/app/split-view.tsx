import { clsx } from "clsx";
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
  type PointerEvent,
} from "react";
import { useStore } from "zustand";
import { storedLayout } from "../lib/stored.ts";
import type { MobilePage } from "./mobile-bar.tsx";
import {
  CHAT_MIN,
  chatHidden,
  KEYBOARD_STEP,
  MAIN_DEFAULT,
  MAIN_MIN,
  saveLayout,
  stepLayout,
  takeMoves,
} from "../lib/split-layout.ts";

interface SplitViewProps {
  readonly main: ReactNode;
  readonly chat: ReactNode;
  /** Page shown on phones; absent shows both panes. The hidden pane stays mounted and keeps its state. */
  readonly page?: MobilePage | undefined;
}

const PAGE_STYLES: Readonly<Record<MobilePage, string>> = {
  trade: "[&>:not(#main)]:hidden!",
  chat: "[&>:not(#chat)]:hidden!",
  agents: "hidden!",
};

const PANEL = "min-h-0 min-w-0 shrink basis-0 overflow-hidden";

/** New bar position in percent for each key, from the current one. */
const KEYS: Readonly<Record<string, (width: number) => number>> = {
  ArrowLeft: (width) => width - KEYBOARD_STEP,
  ArrowRight: (width) => width + KEYBOARD_STEP,
  Home: () => MAIN_MIN,
  End: () => 100 - CHAT_MIN,
};

/** Split view: trading tabs left, chat right. Pointer or keys move the bar; a key moves it in steps of 10 percent. */
export function SplitView({ main, chat, page }: SplitViewProps) {
  const groupRef = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(
    () => stepLayout(storedLayout.read()?.["main"] ?? MAIN_DEFAULT, 0).main,
  );

  function moveTo(wanted: number): void {
    const layout = stepLayout(wanted, 0);
    setWidth(layout.main);
    saveLayout(layout);
  }
  useEffect(() => takeMoves((step) => moveTo(width + step)));

  function moveByKey(event: KeyboardEvent): void {
    const next = KEYS[event.key]?.(width);
    if (next === undefined) return;
    event.preventDefault();
    moveTo(next);
  }
  function moveByPointer(clientX: number): void {
    const group = groupRef.current?.getBoundingClientRect();
    if (group && group.width > 0) moveTo(((clientX - group.left) / group.width) * 100);
  }

  // On phones the chat is a page of its own
  const isHidden = useStore(chatHidden) && page === undefined;
  return (
    <div ref={groupRef} className={clsx("flex min-h-0 min-w-0 grow", page && PAGE_STYLES[page])}>
      <div id="main" className={PANEL} style={{ flexGrow: width }}>
        {main}
      </div>
      {!isHidden && (
        <SplitBar
          value={width}
          min={MAIN_MIN}
          max={100 - CHAT_MIN}
          label="Width of the chat"
          controls="main"
          onMove={moveByPointer}
          onKeyDown={moveByKey}
          onReset={() => moveTo(MAIN_DEFAULT)}
        />
      )}
      <div id="chat" hidden={isHidden} className={PANEL} style={{ flexGrow: 100 - width }}>
        {chat}
      </div>
    </div>
  );
}

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
function SplitBar({ value, label, controls, onMove, onReset, ...rest }: SplitBarProps) {
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
