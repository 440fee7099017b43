import { ChevronDown } from "lucide-react";
import { type ReactNode, useState } from "react";
import { getPosition } from "../../contract/trade.ts";
import type { Agent } from "../../contract/agent.ts";
import { useRead } from "../queries/read.ts";
import { Button } from "../ui/button.tsx";
import { Figure } from "../ui/figure.tsx";
import { Popover } from "../ui/popover.tsx";

interface PhoneFiguresProps {
  readonly agent: Agent;
  /** What a wide header shows beside the name. */
  readonly children: ReactNode;
}

/** The agent's P&L in a phone's one row of a header; all other figures are behind it. */
export default function PhoneFigures({ agent, children }: PhoneFiguresProps) {
  const [isOpen, setOpen] = useState(false);
  const { data, isError } = useRead(getPosition, {
    query: { agentId: agent.subAccountId === undefined ? "" : agent.id },
  });
  const pnl = data?.available === true && data.side !== undefined ? data.pnl : undefined;
  return (
    <Popover
      label="Position"
      open={isOpen}
      onOpenChange={setOpen}
      className="flex w-[calc(100vw-16px)] max-w-[420px] flex-col items-start gap-3 p-3"
      trigger={
        <Button size="small">
          <span className="sr-only">Position, P&amp;L </span>
          {pnl === undefined ? "Flat" : <Figure value={pnl} unit="%" toned stale={isError} />}
          <ChevronDown aria-hidden />
        </Button>
      }
    >
      {children}
    </Popover>
  );
}
