import { useQuery } from "@tanstack/react-query";
import { Code, FileUp } from "lucide-react";
import { useState } from "react";
import type { AgentFile } from "../../../contract/agent-file.ts";
import type { Agent } from "../../queries/agent.ts";
import { alertsQuery } from "../../queries/alerts.ts";
import { rulesQuery } from "../../queries/rules.ts";
import { webhookQuery } from "../../queries/webhook.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ImportFile } from "./import-file.tsx";
import { StrategyViews } from "./strategy-views.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { SignedInWallet } from "../../lib/session.ts";

export interface StrategyCodeProps {
  readonly address: SignedInWallet;
  readonly agent: Agent | null;
  /** Inserts an alert's name into the webhook's message. */
  readonly fillName: (alertText: string, name: string) => string;
  /** Shows the changes a file would make; nothing is saved before the user does. */
  readonly onImport: (file: AgentFile) => void;
}

/** The agent's strategy as text: agent file, Pine script, and curl commands for its alerts. */
export function StrategyCode({ address, agent, fillName, onImport }: StrategyCodeProps) {
  const [isImporting, setImporting] = useState(false);
  const agentId = agent?.id ?? "";
  const reads = [
    useQuery(alertsQuery(address, agentId)),
    useQuery(rulesQuery(address, agentId)),
    useQuery(webhookQuery(address, agentId)),
  ] as const;
  const [alerts, rules, webhook] = [reads[0].data, reads[1].data, reads[2].data];
  const failed = reads.filter(({ data, isError }) => isError && data === undefined);

  const importButton = (
    <Button size="small" onClick={() => setImporting(true)}>
      <FileUp aria-hidden />
      Import file
    </Button>
  );
  return (
    <>
      {address === "" ? (
        <EmptyState icon={<Code />} title="No strategy to show">
          Sign in to see an agent's strategy as a file, as Pine Script and as curl commands.
        </EmptyState>
      ) : agent === null ? (
        <EmptyState icon={<Code />} title="This chat has no agent yet" action={importButton}>
          Its strategy will be here as a file, as Pine Script and as curl commands. A file of
          another agent makes a new one.
        </EmptyState>
      ) : failed.length > 0 ? (
        <EmptyState
          icon={<Code />}
          title="The strategy could not be read"
          action={
            <Button size="small" onClick={() => failed.forEach((read) => void read.refetch())}>
              Try again
            </Button>
          }
        />
      ) : alerts && rules && webhook ? (
        <StrategyViews
          agent={agent}
          alerts={alerts}
          rules={rules}
          webhookUrl={webhook.url}
          messageOf={(name) => fillName(webhook.alertText, name)}
          action={importButton}
        />
      ) : (
        <Skeleton className="m-4 h-60" />
      )}
      {isImporting && (
        <ImportFile
          onClose={() => setImporting(false)}
          onRead={(file) => {
            setImporting(false);
            onImport(file);
          }}
        />
      )}
    </>
  );
}
