import { type ReactNode, useId, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";

interface OnRequestProps {
  readonly title: ReactNode;
  /** What it shows, one sentence. */
  readonly note: string;
  /** Label of the button, a verb. */
  readonly action: string;
  readonly children: ReactNode;
}

/** Card whose content is loaded and computed only on request. */
export function OnRequest({ title, note, action, children }: OnRequestProps) {
  const [isAsked, setAsked] = useState(false);
  const id = useId();
  return (
    <Card aria-labelledby={id} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 id={id} className="mr-auto text-sm font-semibold">
          {title}
        </h3>
        <Button size="small" aria-expanded={isAsked} onClick={() => setAsked(!isAsked)}>
          {isAsked ? "Hide" : action}
        </Button>
      </div>
      {isAsked ? children : <p className="text-sm text-muted">{note}</p>}
    </Card>
  );
}
