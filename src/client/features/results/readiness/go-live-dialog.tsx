import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Agent } from "../../../../contract/agent.ts";
import { goLive } from "../../../../contract/readiness.ts";
import type { ChatId } from "../../../../domain/ids.ts";
import type { ReadinessFigures, ReadinessLine } from "../../../../domain/readiness.ts";
import { READINESS_WORDS } from "../../../../domain/readiness.ts";
import { describeProblem } from "../../../lib/problem.ts";
import { toastDone } from "../../../lib/toast.ts";
import { deploymentQuery } from "../../../queries/deployment.ts";
import { useChange } from "../../../queries/read.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { networkLabel } from "../../../ui/network-badge.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { Select } from "../../../ui/select.tsx";
import { liveChoices, liveDifferences } from "./live-differences.ts";

interface GoLiveDialogProps {
  readonly agent: Agent;
  readonly figures: ReadinessFigures;
  readonly lines: readonly ReadinessLine[];
  readonly onOpen: (chatId: ChatId) => void;
  readonly onClose: () => void;
}

/** Makes a new agent on a real network from the agent, after it said what differs and what is missing. */
export function GoLiveDialog({ agent, figures, lines, onOpen, onClose }: GoLiveDialogProps) {
  const { data: deployment } = useQuery(deploymentQuery);
  const networks = deployment?.networks ?? [];
  const choices = liveChoices(agent, networks);
  const [name, setName] = useState(`${agent.name} live`);
  const [wanted, setWanted] = useState<string | null>(null);
  const chosen =
    choices.find(({ network }) => network === wanted) ??
    choices.find(({ obstacle }) => obstacle === null) ??
    choices[0];
  const making = useChange(goLive);
  const below = lines.filter(({ isMet }) => !isMet);
  const make = () => {
    if (chosen === undefined) return;
    making.mutate(
      { params: { agentId: agent.id }, body: { name, network: chosen.network, figures } },
      {
        onSuccess: (made) => {
          toastDone({ title: "Agent Made", message: `${made.name} is off and has no money.` });
          onClose();
          onOpen(made.chatId);
        },
      },
    );
  };
  return (
    <Dialog
      keepOpenOutside
      onClose={onClose}
      title="Go live"
      description={`A new agent with the rules, plan and limits of ${agent.name}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            busy={making.isPending}
            disabled={chosen === undefined || chosen.obstacle !== null || name.trim() === ""}
            onClick={make}
          >
            {below.length > 0 ? "Sign and make it" : "Make it"}
          </Button>
        </>
      }
    >
      {deployment === undefined ? (
        <Spinner label="Reading the networks..." />
      ) : chosen === undefined ? (
        <p className="text-sm">
          This server has no real network. Whoever runs it enables one with NETWORKS and an RPC
          address.
        </p>
      ) : (
        <div className="flex flex-col gap-4 text-sm">
          <div className="grid gap-3 sm:grid-cols-2">
            <Field label="Network" error={chosen.obstacle}>
              <Select
                value={chosen.network}
                onValueChange={setWanted}
                options={choices.map(({ network }) => ({
                  value: network,
                  label: networkLabel(network),
                }))}
              />
            </Field>
            <Field label="Name">
              <Input
                value={name}
                maxLength={120}
                onChange={({ target }) => setName(target.value)}
              />
            </Field>
          </div>
          {below.length > 0 && <BelowBar lines={below} />}
          <section aria-label="What differs" className="flex flex-col gap-1">
            <h4 className="font-medium">What differs there</h4>
            <ul className="flex list-disc flex-col gap-0.5 pl-5 text-muted marker:text-faint">
              {liveDifferences(
                agent,
                networks.find(({ network }) => network === chosen.network),
              ).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </section>
          {making.isError && (
            <p role="alert" className="text-down">
              {describeProblem(making.error).message}
            </p>
          )}
        </div>
      )}
    </Dialog>
  );
}

function BelowBar({ lines }: Pick<GoLiveDialogProps, "lines">) {
  return (
    <section aria-label="Below your bar" className="flex flex-col gap-1">
      <h4 className="font-medium text-warn">Below your bar: your wallet signs this</h4>
      <ul className="flex list-disc flex-col gap-0.5 pl-5 marker:text-faint">
        {lines.map(({ line, text }) => (
          <li key={line}>
            {READINESS_WORDS[line]}: {text}
          </li>
        ))}
      </ul>
    </section>
  );
}
