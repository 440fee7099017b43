import { CheckCircle2, CircleAlert, OctagonX } from "lucide-react";
import { useState } from "react";
import { describeProblem } from "../../lib/problem.ts";
import { useSetAutoTrade } from "../../queries/agents.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import type { PortfolioAgent } from "./agent-state.tsx";
import { type Stop, stopAll } from "./stop-agents.ts";
import type { SignedInWallet } from "../../lib/session.ts";

interface StopAllProps {
  readonly address: SignedInWallet;
  /** Agents of all networks. */
  readonly agents: readonly PortfolioAgent[];
}

const canStop = ({ state }: PortfolioAgent) => state !== "off";

/** Stops every agent of the wallet after one confirmation; failures are listed with a retry. */
export function StopAll({ address, agents }: StopAllProps) {
  const setAutoTrade = useSetAutoTrade(address);
  const [isAsking, setAsking] = useState(false);
  const [stops, setStops] = useState<readonly Stop[] | null>(null);
  const running = agents.filter(canStop);
  const begin = (targets: readonly Pick<Stop, "id" | "name">[]) => {
    setAsking(false);
    void stopAll(targets, {
      stop: async (id) => {
        const { autoTrade } = await setAutoTrade.mutateAsync({ id, autoTrade: "off" });
        return autoTrade === "stopping" ? autoTrade : "off";
      },
      reasonOf: (error) => describeProblem(error).message,
      onChange: setStops,
    });
  };
  if (running.length === 0 && stops === null) return null;
  return (
    <>
      <Button tone="caution" size="small" onClick={() => setAsking(true)}>
        <OctagonX aria-hidden />
        Stop all agents
      </Button>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Stop ${running.length === 1 ? "1 agent" : `${running.length} agents`}?`}
        actionLabel="Stop all"
        onAction={() => begin(running)}
      >
        From this click none of them opens a new position. Open positions are closed at the market
        price, then Auto-Trade is off. Turning each on again is up to you.
      </AlertDialog>
      {stops !== null && <Progress stops={stops} onRetry={begin} onClose={() => setStops(null)} />}
    </>
  );
}

interface ProgressProps {
  readonly stops: readonly Stop[];
  readonly onRetry: (failed: readonly Stop[]) => void;
  readonly onClose: () => void;
}

function Progress({ stops, onRetry, onClose }: ProgressProps) {
  const failed = stops.filter(({ state }) => state === "failed");
  const isBusy = stops.some(({ state }) => state === "waiting");
  const done = stops.length - failed.length;
  return (
    <Dialog
      open
      keepOpenOutside
      size="medium"
      onOpenChange={(open) => !open && onClose()}
      title={
        isBusy ? "Stopping all agents" : failed.length > 0 ? "Some did not stop" : "All stopped"
      }
      description={`${done} of ${stops.length} ${isBusy ? "asked" : "stopped or stopping"}`}
      footer={
        <>
          {failed.length > 0 && !isBusy && (
            <Button tone="primary" onClick={() => onRetry(failed)}>
              Try {failed.length === 1 ? "it" : "them"} again
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <ul className="flex flex-col" aria-live="polite" aria-label="Progress">
        {stops.map(({ id, name, state, reason }) => (
          <li
            key={id}
            className="flex items-start gap-2 border-b border-line py-2 text-sm last:border-b-0 [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0"
          >
            {state === "waiting" ? (
              <Spinner />
            ) : state === "failed" ? (
              <CircleAlert aria-hidden className="text-down" />
            ) : (
              <CheckCircle2 aria-hidden className="text-up" />
            )}
            <span className="min-w-0 grow">
              <span className="block truncate font-medium">{name}</span>
              {reason && <span className="text-xs text-down">{reason}</span>}
            </span>
            <span className="shrink-0 text-xs text-muted">{WORDS[state]}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const WORDS: Readonly<Record<Stop["state"], string>> = {
  waiting: "Asking",
  stopping: "Stopping: closing its position",
  off: "Off",
  failed: "Not stopped",
};
