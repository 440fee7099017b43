import { useState } from "react";
import type { Agent } from "../../queries/agent.ts";
import type { Performance } from "../../queries/performance.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import type { SignedInWallet } from "../../lib/session.ts";

const SimulatedCard = lazyPart(() => import("./simulated-card.tsx"));

interface SimulatedProps {
  readonly address: SignedInWallet;
  readonly agent: Agent;
  readonly shown: Performance;
}

/** Section comparing with a simulation; history is loaded and simulated only on request. */
export function Simulated(props: SimulatedProps) {
  const [isAsked, setAsked] = useState(false);
  return (
    <Card aria-labelledby="performance-simulated" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 id="performance-simulated" className="mr-auto text-sm font-semibold">
          Simulated against live
        </h3>
        <Button size="small" aria-expanded={isAsked} onClick={() => setAsked(!isAsked)}>
          {isAsked ? "Hide" : "Compare"}
        </Button>
      </div>
      {isAsked ? (
        <SimulatedCard {...props} />
      ) : (
        <p className="text-sm text-muted">
          What its rules would have done over the same time, by the code that trades.
        </p>
      )}
    </Card>
  );
}
