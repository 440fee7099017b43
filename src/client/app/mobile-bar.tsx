import { clsx } from "clsx";
import { Bot, ChartCandlestick, MessageSquare } from "lucide-react";

export type MobilePage = "trade" | "chat" | "agents";

const PAGES = [
  { id: "trade", label: "Trade", Icon: ChartCandlestick },
  { id: "chat", label: "Chat", Icon: MessageSquare },
  { id: "agents", label: "Agents", Icon: Bot },
] as const;

interface MobileBarProps {
  readonly page: MobilePage;
  readonly onShow: (page: MobilePage) => void;
}

/** Navigation bar for phones, where each pane is a page of its own. */
export function MobileBar({ page, onShow }: MobileBarProps) {
  return (
    <nav
      aria-label="Pages"
      data-page={page}
      className="grid shrink-0 grid-cols-3 border-t bg-surface pb-[env(safe-area-inset-bottom)]"
    >
      {PAGES.map(({ id, label, Icon }) => (
        <button
          key={id}
          type="button"
          aria-current={page === id ? "page" : undefined}
          onClick={() => onShow(id)}
          className={clsx(
            "flex h-13 flex-col items-center justify-center gap-0.5 text-2xs font-medium outline-offset-[-2px]",
            page === id ? "text-accent-text" : "text-muted",
          )}
        >
          <Icon aria-hidden className="size-5" />
          {label}
        </button>
      ))}
    </nav>
  );
}
