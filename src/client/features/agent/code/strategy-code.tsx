import { NothingLoaded } from "../../../ui/not-loaded.tsx";
import { type Alert, listAlerts } from "../../../../contract/alerts.ts";
import { type Rule, listRules } from "../../../../contract/rules.ts";
import { useRead } from "../../../queries/read.ts";
import { Code, FileUp } from "lucide-react";
import { useState, type ChangeEvent, useRef, type ReactNode, useMemo } from "react";
import type { AgentFile } from "../../../../contract/agent-file.ts";
import type { Agent } from "../../../../contract/agent.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { ShowAlertTexts, useWebhook } from "../signals/connect-steps.tsx";
import { fillAlertText } from "../rules/alert-text.ts";
import { useOwner } from "../../../lib/session.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { MAX_FILE_LENGTH, readAgentFile } from "./read-agent-file.ts";
import { parseInterval } from "../../../../domain/interval.ts";
import { pineScript } from "../../../../strategy/pine/pine.ts";
import { Tab, TabList, TabPanel, Tabs } from "../../../ui/tabs.tsx";
import { agentFileOf, jsonText } from "./agent-file-text.ts";
import { CodeView } from "./code-view.tsx";
import { curlText } from "./curl-text.ts";
import { PineView } from "./pine-view.tsx";

export interface StrategyCodeProps {
  readonly agent: Agent | null;
  /** Shows the changes a file would make; nothing is saved before the user does. */
  readonly onImport: (file: AgentFile) => void;
}

/** The agent's strategy as text: agent file, Pine script, and curl commands for its alerts. */
export function StrategyCode({ agent, onImport }: StrategyCodeProps) {
  const address = useOwner();
  const [isImporting, setImporting] = useState(false);
  const agentId = agent?.id ?? "";
  const shown = useWebhook(agentId);
  const reads = [
    useRead(listAlerts, { params: { agentId } }),
    useRead(listRules, { params: { agentId } }),
    shown.state,
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
        <NothingLoaded
          title="The strategy could not be loaded"
          onRetry={() => failed.forEach((read) => void read.refetch())}
        />
      ) : alerts && rules && webhook ? (
        <StrategyViews
          agent={agent}
          alerts={alerts}
          rules={rules}
          webhookUrl={webhook.url}
          messageOf={(name) => fillAlertText(shown.alertText ?? webhook.alertText, name)}
          showTexts={<ShowAlertTexts webhook={shown} />}
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

interface ImportFileProps {
  readonly onClose: () => void;
  readonly onRead: (file: AgentFile) => void;
}

/** Dialog for an agent file from disk or pasted; its changes are shown before anything is saved. */
function ImportFile({ onClose, onRead }: ImportFileProps) {
  const [text, setText] = useState("");
  const [faults, setFaults] = useState<readonly string[]>([]);
  const inputRef = useRef<HTMLInputElement>(null);

  const take = (content: string) => {
    const reading = readAgentFile(content);
    if (reading.ok) onRead(reading.file);
    else setFaults(reading.faults);
  };
  const takeFile = async (event: ChangeEvent<HTMLInputElement>) => {
    const input = event.currentTarget;
    const file = input.files?.[0];
    if (file === undefined) return;
    // A UTF-16 unit takes at most 4 bytes, so a larger file exceeds the limit without reading it
    take(file.size > 4 * MAX_FILE_LENGTH ? " ".repeat(MAX_FILE_LENGTH + 1) : await file.text());
    // Allows selecting the same file again after it was corrected
    input.value = "";
  };

  return (
    <Dialog
      onClose={onClose}
      title="Import an agent file"
      description="Nothing is saved yet: the next step shows what would change."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" disabled={text.trim() === ""} onClick={() => take(text)}>
            Show changes
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <input
          ref={inputRef}
          type="file"
          accept=".json,application/json"
          aria-label="Agent file"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => void takeFile(event)}
        />
        <Button className="self-start" onClick={() => inputRef.current?.click()}>
          <FileUp aria-hidden />
          Choose a file
        </Button>
        <Field label="Or paste its text">
          <Textarea
            rows={8}
            data-first-field
            spellCheck={false}
            value={text}
            className="font-mono text-xs"
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        {faults.length > 0 && (
          <div role="alert" className="rounded-md bg-down-soft px-3 py-2 text-xs text-down">
            <p className="font-semibold">This file cannot be used.</p>
            <ul className="list-disc pl-4">
              {faults.map((fault) => (
                <li key={fault} className="wrap-anywhere">
                  {fault}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </Dialog>
  );
}

interface StrategyViewsProps {
  readonly agent: Agent;
  readonly alerts: readonly Alert[];
  readonly rules: readonly Rule[];
  readonly webhookUrl: string;
  /** Returns the webhook's message for an alert with a placeholder for the time. */
  readonly messageOf: (alertName: string) => string;
  /** Asks for the token, in whose place stands `{{token}}`. */
  readonly showTexts: ReactNode;
  readonly action: ReactNode;
}

/** Returns text as part of a file name: letters, digits and dashes. */
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "-")
    .replaceAll(/^-|-$/g, "") || "agent";

/** Views of an agent file, Pine script and curl commands. */
function StrategyViews(props: StrategyViewsProps) {
  const { agent, alerts, rules, webhookUrl, messageOf, showTexts, action } = props;
  const slug = slugOf(agent.name);
  const file = useMemo(
    () => `${jsonText(agentFileOf(agent, alerts, rules))}\n`,
    [agent, alerts, rules],
  );
  const pine = pineScript({
    title: agent.name,
    interval: agent.interval,
    intervalMinutes: parseInterval(agent.interval)?.minutes ?? 60,
    plan: agent.plan,
    leverage: agent.leverage,
    alerts: alerts.flatMap(({ name, condition }) =>
      condition === undefined ? [] : [{ name, condition, message: messageOf(name) }],
    ),
  });
  return (
    <Tabs defaultValue="file" className="h-full gap-3 p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <TabList aria-label="Strategy as code">
          <Tab value="file">Agent file</Tab>
          <Tab value="pine">Pine Script v6</Tab>
          <Tab value="curl">curl</Tab>
        </TabList>
        {action}
      </div>
      <TabPanel value="file" className="flex grow flex-col">
        <CodeView
          label="Text of the agent file"
          text={file}
          language="json"
          fileName={`${slug}.agent.json`}
          note="What this agent trades, when and how much. No ids, wallets, keys or tokens are in it: it can be passed on."
        />
      </TabPanel>
      <TabPanel value="pine" className="flex grow flex-col gap-3">
        {pine.text !== "" && showTexts}
        <PineView
          script={pine}
          fileName={`${slug}.pine`}
          outside={alerts
            .filter(({ condition }) => condition === undefined)
            .map(({ name }) => name)}
        />
      </TabPanel>
      <TabPanel value="curl" className="flex grow flex-col gap-3">
        {showTexts}
        <CodeView
          label="Text of the commands"
          text={curlText(
            webhookUrl,
            alerts.map(({ name }) => ({ name, message: messageOf(name) })),
          )}
          language="shell"
          fileName={`${slug}.sh`}
          note="Each command sends one alert now, as TradingView would. They hold this agent's webhook token: keep them to yourself."
        />
      </TabPanel>
    </Tabs>
  );
}
