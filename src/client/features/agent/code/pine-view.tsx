import { ScrollText } from "lucide-react";
import type { PineScript } from "../../../../strategy/pine/pine.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { CodeView } from "./code-view.tsx";

interface PineViewProps {
  readonly script: PineScript;
  readonly fileName: string;
  /** Alerts without a condition, which already come from outside. */
  readonly outside: readonly string[];
}

/** View of the conditions as a Pine script, with the parts of the agent it omits. */
export function PineView({ script, fileName, outside }: PineViewProps) {
  const { text, leftOut, differs } = script;
  const missing = [
    ...leftOut,
    ...outside.map((name) => ({ name, reason: "It has no condition and comes from outside." })),
  ];
  const list = missing.length > 0 && (
    <ul aria-label="Not in the script" className="mt-1 list-disc pl-4">
      {missing.map(({ name, reason }) => (
        <li key={name} className="wrap-anywhere">
          <span className="text-ink">{name}</span> is not in it. {reason}
        </li>
      ))}
    </ul>
  );
  if (text === "") {
    return (
      <EmptyState
        icon={<ScrollText />}
        title="Nothing to say in Pine"
        action={<div className="text-left text-xs text-muted">{list}</div>}
      >
        Give an alert a condition on prices, indicators or times, and the script that computes it on
        TradingView will be here.
      </EmptyState>
    );
  }
  return (
    <CodeView
      label="Text of the Pine script"
      text={text}
      language="pine"
      fileName={fileName}
      note={
        <>
          <p>
            One TradingView alert on this indicator, “Any alert() function call”, replaces one per
            name.{" "}
            <strong className="font-semibold text-warn">
              Not run by TradingView here. It holds this agent's webhook token: keep it private.
            </strong>
          </p>
          {list}
          <ul aria-label="What differs" className="mt-1 list-disc pl-4">
            {differs.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </>
      }
    />
  );
}
