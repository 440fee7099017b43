import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import { type ReactNode, useState } from "react";

const LOOKS = {
  On: { label: "On agents", empty: "No on agents.", dot: "bg-up", text: "text-up" },
  Off: { label: "Off agents", empty: "No off agents.", dot: "bg-down", text: "text-down" },
  "No agent": {
    label: "Chats without agent",
    empty: "No chats without agent.",
    dot: "bg-line-strong",
    text: "text-muted",
  },
} as const;

interface ChatGroupProps {
  readonly title: keyof typeof LOOKS;
  readonly count: number;
  readonly children: ReactNode;
}

/** Collapsible group of chats; an empty one shows a text. */
export function ChatGroup({ title, count, children }: ChatGroupProps) {
  const [isOpen, setOpen] = useState(true);
  const { label, empty, dot, text } = LOOKS[title];
  return (
    <section aria-label={label}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="tint flex h-7 w-full items-center gap-2 rounded-md px-2.5 text-xs font-semibold hover:bg-hover"
      >
        <span aria-hidden className={clsx("size-2 rounded-full", dot)} />
        <span className={text}>{title}</span>
        <span className="font-normal text-faint">{count}</span>
        <ChevronDown
          aria-hidden
          className={clsx("ml-auto size-3.5 text-faint", !isOpen && "-rotate-90")}
        />
      </button>
      {isOpen &&
        (count === 0 ? (
          <p className="px-2.5 py-2 text-xs text-faint">{empty}</p>
        ) : (
          <ul className="mt-0.5 flex flex-col gap-px">{children}</ul>
        ))}
    </section>
  );
}
