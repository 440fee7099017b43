import { clsx } from "clsx";
import { type KeyboardEvent, type ReactNode, useEffect } from "react";
import { Group, Panel, Separator, useGroupRef } from "react-resizable-panels";
import { storedLayout } from "../lib/storage.ts";
import type { MobilePage } from "./mobile-bar.tsx";
import {
  CHAT_MIN,
  KEYBOARD_STEP,
  MAIN_DEFAULT,
  MAIN_MIN,
  saveLayout,
  stepLayout,
  takeMoves,
} from "./split-layout.ts";

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -KEYBOARD_STEP,
  ArrowRight: KEYBOARD_STEP,
};

interface SplitViewProps {
  readonly main: ReactNode;
  readonly chat: ReactNode;
  /** The one page a phone shows; absent: both beside each other. What is hidden keeps what was typed, chosen and scrolled. */
  readonly page?: MobilePage | undefined;
}

const PAGE_STYLES: Readonly<Record<MobilePage, string>> = {
  trade: "[&>:not(#main)]:hidden!",
  chat: "[&>:not(#chat)]:hidden!",
  agents: "hidden!",
};

/** Trading tabs left, chat right, with a bar between that moves by pointer and by keys in steps of ten. */
export function SplitView({ main, chat, page }: SplitViewProps) {
  const groupRef = useGroupRef();
  const saved = storedLayout.read();
  const width = saved?.["main"] ?? MAIN_DEFAULT;

  useEffect(
    () =>
      takeMoves((step) => {
        const layout = groupRef.current?.getLayout();
        if (layout) groupRef.current?.setLayout(stepLayout(layout["main"] ?? MAIN_DEFAULT, step));
      }),
    [groupRef],
  );

  /** The library moves by five on the separator itself, so the key is taken before it gets there. */
  function moveByKey(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    const isSeparator = event.target instanceof HTMLElement && event.target.role === "separator";
    const layout = groupRef.current?.getLayout();
    if (step === undefined || !isSeparator || !layout) return;
    event.preventDefault();
    event.stopPropagation();
    groupRef.current?.setLayout(stepLayout(layout["main"] ?? MAIN_DEFAULT, step));
  }

  return (
    <Group
      orientation="horizontal"
      groupRef={groupRef}
      defaultLayout={{ main: width, chat: 100 - width }}
      onLayoutChanged={saveLayout}
      className={clsx("min-h-0 min-w-0 grow", page && PAGE_STYLES[page])}
      onKeyDownCapture={moveByKey}
    >
      <Panel id="main" minSize={`${MAIN_MIN}%`}>
        {main}
      </Panel>
      <Separator
        aria-label="Width of the chat"
        className="relative w-px bg-line outline-offset-0 hover:bg-accent data-[separator=active]:bg-accent"
      />
      <Panel id="chat" minSize={`${CHAT_MIN}%`}>
        {chat}
      </Panel>
    </Group>
  );
}
