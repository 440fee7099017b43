import { clsx } from "clsx";
import { Bell, type LucideIcon, MoveDownRight, MoveUpRight, RotateCcw, X } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import type { Decision } from "../../queries/decisions.ts";
import { Badge } from "../../ui/badge.tsx";
import { Figure } from "../../ui/figure.tsx";
import { TimeText } from "../../ui/time-text.tsx";
import { decisionTitle, outcomeSentence, outcomeWords } from "./decision-words.ts";

interface DecisionRowsProps {
  readonly decisions: readonly Decision[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** List of decisions, newest first; arrow keys move between them. */
export function DecisionRows({ decisions, chosen, onChoose }: DecisionRowsProps) {
  const listRef = useRef<HTMLUListElement>(null);
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const at = decisions.findIndex(({ id }) => id === chosen) + step;
    const next = decisions[at];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.id);
    listRef.current?.querySelectorAll("button")[at]?.focus();
  };
  return (
    <ul ref={listRef} aria-label="Decisions, newest first">
      {decisions.map((decision) => (
        <li key={decision.id}>
          <DecisionRow
            decision={decision}
            isChosen={decision.id === chosen}
            onChoose={() => onChoose(decision.id)}
            onKeyDown={walk}
          />
        </li>
      ))}
    </ul>
  );
}

const ICONS: Readonly<Record<string, LucideIcon>> = {
  OPEN_LONG: MoveUpRight,
  OPEN_SHORT: MoveDownRight,
  CLOSE_LONG: X,
  CLOSE_SHORT: X,
};

interface DecisionRowProps {
  readonly decision: Decision;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function DecisionRow({ decision, isChosen, onChoose, onKeyDown }: DecisionRowProps) {
  const { text, tone } = outcomeWords(decision);
  const { pnl } = decision.outcome;
  const Icon = ICONS[decision.signal ?? ""] ?? (decision.kind === "alert" ? Bell : RotateCcw);
  return (
    <button
      type="button"
      aria-current={isChosen}
      tabIndex={isChosen ? 0 : -1}
      onClick={onChoose}
      onKeyDown={onKeyDown}
      className={clsx(
        "tint flex min-h-9 w-full items-center gap-2.5 border-l-2 px-3 py-1 text-left text-sm -outline-offset-2",
        isChosen ? "border-accent bg-accent-soft" : "border-transparent hover:bg-hover",
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0 text-faint" />
      <TimeText at={decision.at} as="short" className="w-24 shrink-0 text-xs text-muted" />
      <span className="min-w-0 shrink-0 truncate font-medium max-sm:max-w-28 sm:w-36">
        {decisionTitle(decision)}
      </span>
      <Badge tone={tone}>{text}</Badge>
      <span className="min-w-0 grow truncate text-right text-xs text-muted max-sm:hidden">
        {pnl === undefined ? outcomeSentence(decision) : <Figure value={pnl} prefix="$" toned />}
      </span>
    </button>
  );
}
