import { clsx } from "clsx";
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";

interface TabsState {
  readonly id: string;
  readonly value: string;
  readonly select: (value: string) => void;
}

const TabsContext = createContext<TabsState>({ id: "", value: "", select: () => {} });

interface TabsProps extends Omit<ComponentProps<"div">, "defaultValue"> {
  readonly value?: string;
  readonly defaultValue?: string;
  readonly onValueChange?: (value: string) => void;
}

/** Tabs are composed as Tabs > TabList > Tab, with one TabPanel per tab; a TabList contains only tabs. */
export function Tabs(props: TabsProps) {
  const { value, defaultValue = "", onValueChange, className, ...rest } = props;
  const [own, setOwn] = useState(defaultValue);
  const id = useId();
  const select = (next: string) => {
    setOwn(next);
    onValueChange?.(next);
  };
  return (
    <TabsContext value={{ id, value: value ?? own, select }}>
      <div {...rest} className={clsx("flex min-h-0 min-w-0 flex-col", className)} />
    </TabsContext>
  );
}

const MOVES: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowLeft: (index, count) => (index - 1 + count) % count,
  ArrowRight: (index, count) => (index + 1) % count,
  Home: () => 0,
  End: (_index, count) => count - 1,
};

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const move = MOVES[event.key];
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')];
  const index = tabs.indexOf(document.activeElement as HTMLElement);
  if (!move || index === -1) return;
  event.preventDefault();
  const next = tabs[move(index, tabs.length)];
  next?.focus();
  next?.click();
}

/** Marks the sides of the list with hidden tabs, which fade out. */
function noteHidden(list: HTMLElement): void {
  const { scrollLeft, clientWidth, scrollWidth } = list;
  list.toggleAttribute("data-more-before", scrollLeft > 1);
  list.toggleAttribute("data-more-after", scrollLeft + clientWidth < scrollWidth - 1);
}

export function TabList({ className, ...rest }: ComponentProps<"div">) {
  const listRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = listRef.current;
    if (list === null) return;
    const resizes = new ResizeObserver(() => noteHidden(list));
    for (const box of [list, ...list.children]) resizes.observe(box);
    return () => resizes.disconnect();
  });
  return (
    <div
      {...rest}
      ref={listRef}
      onScroll={(event) => noteHidden(event.currentTarget)}
      role="tablist"
      tabIndex={-1}
      onKeyDown={moveFocus}
      className={clsx("fade-hidden relative flex items-center gap-0.5", className)}
    />
  );
}

export function Tab({ value, className, ...rest }: ComponentProps<"button"> & { value: string }) {
  const tabs = useContext(TabsContext);
  const isActive = tabs.value === value;
  const buttonRef = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const button = buttonRef.current;
    if (!isActive || button?.parentElement == null) return;
    // The selected tab can be outside the visible part of a narrow list
    const bringIn = () => button.scrollIntoView({ block: "nearest", inline: "nearest" });
    bringIn();
    const resizes = new ResizeObserver(bringIn);
    resizes.observe(button.parentElement);
    return () => resizes.disconnect();
  }, [isActive]);
  return (
    <button
      ref={buttonRef}
      type="button"
      {...rest}
      role="tab"
      id={`${tabs.id}-tab-${value}`}
      aria-selected={isActive}
      aria-controls={isActive ? `${tabs.id}-panel-${value}` : undefined}
      tabIndex={isActive ? 0 : -1}
      onClick={() => tabs.select(value)}
      className={clsx(
        "tint relative inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2 text-xs font-medium whitespace-nowrap",
        isActive ? "bg-hover text-ink" : "text-muted hover:bg-hover hover:text-ink",
        className,
      )}
    />
  );
}

interface TabPanelProps extends ComponentProps<"div"> {
  readonly value: string;
  /** When set, the panel stays mounted for every selected tab; false hides it and keeps its place and size. */
  readonly isShown?: boolean;
}

export function TabPanel({ value, isShown, className, ...rest }: TabPanelProps) {
  const tabs = useContext(TabsContext);
  if (isShown === undefined && tabs.value !== value) return null;
  return (
    <div
      {...rest}
      role="tabpanel"
      id={`${tabs.id}-panel-${value}`}
      aria-labelledby={`${tabs.id}-tab-${value}`}
      tabIndex={0}
      className={clsx(
        "min-h-0 min-w-0 outline-offset-[-2px]",
        isShown === false && "invisible",
        className,
      )}
    />
  );
}
