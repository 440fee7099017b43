import type { KeyboardEvent, ReactNode } from "react";
import { Group, Panel, Separator, useGroupRef } from "react-resizable-panels";
import { storedLayout } from "../lib/storage.ts";

/** Sizes in percent. Spec: workspace §9 */
const MAIN_DEFAULT = 65;
const MAIN_MIN = 30;
const CHAT_MIN = 20;
const KEYBOARD_STEP = 10;

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -KEYBOARD_STEP,
  ArrowRight: KEYBOARD_STEP,
};

interface SplitViewProps {
  readonly main: ReactNode;
  readonly chat: ReactNode;
}

/** Trading tabs left, chat right, with a bar between that moves by pointer and by keys in steps of ten. */
export function SplitView({ main, chat }: SplitViewProps) {
  const groupRef = useGroupRef();
  const saved = storedLayout.read();
  const width = saved?.["main"] ?? MAIN_DEFAULT;

  /** The library moves by five on the separator itself, so the key is taken before it gets there. */
  function moveByKey(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    const isSeparator = event.target instanceof HTMLElement && event.target.role === "separator";
    const layout = groupRef.current?.getLayout();
    if (step === undefined || !isSeparator || !layout) return;
    event.preventDefault();
    event.stopPropagation();
    const wanted = (layout["main"] ?? MAIN_DEFAULT) + step;
    const next = Math.min(100 - CHAT_MIN, Math.max(MAIN_MIN, wanted));
    groupRef.current?.setLayout({ main: next, chat: 100 - next });
  }

  return (
    <Group
      orientation="horizontal"
      groupRef={groupRef}
      defaultLayout={{ main: width, chat: 100 - width }}
      onLayoutChanged={(layout) => storedLayout.write(layout)}
      className="min-w-0 grow"
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
