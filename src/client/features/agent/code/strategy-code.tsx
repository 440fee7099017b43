import { NothingLoaded } from "../../../ui/not-loaded.tsx";
import { type Alert, listAlerts } from "../../../../contract/alerts.ts";
import { type Rule, listRules } from "../../../../contract/rules.ts";
import { useRead } from "../../../queries/read.ts";
import { Code, FileUp, ScrollText } from "lucide-react";
import { useState, type ChangeEvent, useRef, type ReactNode, useMemo } from "react";
import { type AgentFile, AGENT_FILE_FORMAT, agentFile } from "../../../../contract/agent-file.ts";
import type { Agent } from "../../../../contract/agent.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { ShowAlertTexts, useWebhook } from "../signals/connect-steps.tsx";
import { fillAlertText } from "../rules/alert-text.ts";
import { useOwner } from "../../../lib/session.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Textarea } from "../../../ui/input.tsx";
import { parseInterval } from "../../../../domain/interval.ts";
import { pineScript, type PineScript } from "../../../../strategy/pine/pine.ts";
import { Tab, TabList, TabPanel, Tabs } from "../../../ui/tabs.tsx";
import { agentFileOf, jsonText } from "./agent-file-text.ts";
import { CodeView } from "./code-view.tsx";
import { ASSETS } from "../../../../venues/profiles.ts";
import * as z from "zod/mini";
import { checkCondition } from "../../../../domain/condition/check-condition.ts";

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

const TIME_PLACEHOLDER = "{{timenow}}";

/** Returns shell-quoted text; inside single quotes only the quote itself needs escaping. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns curl commands that send each alert; the shell inserts the time. */
export function curlText(
  webhookUrl: string,
  alerts: readonly { readonly name: string; readonly message: string }[],
): string {
  const commands = alerts.map(({ name, message }) => {
    const body = message
      .split(TIME_PLACEHOLDER)
      .map(quoted)
      .join(`"$(date -u +%Y-%m-%dT%H:%M:%SZ)"`);
    return [
      `# ${name}`,
      "curl -H 'content-type: application/json' \\",
      `  -d ${body} \\`,
      `  ${quoted(webhookUrl)}`,
    ].join("\n");
  });
  return commands.length === 0 ? "" : `${commands.join("\n\n")}\n`;
}

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

/** Longest text read as an agent file, in UTF-16 units. */
const MAX_FILE_LENGTH = 200_000;

type FileReading =
  | { readonly ok: true; readonly file: AgentFile }
  /** First faults as sentences for the file's author. */
  | { readonly ok: false; readonly faults: readonly string[] };

const SHOWN_FAULTS = 5;

const refused = (...faults: string[]): FileReading => ({
  ok: false,
  faults: faults.slice(0, SHOWN_FAULTS),
});

/** Parses an agent file. Its content is validated again on save. */
export function readAgentFile(text: string): FileReading {
  if (text.length > MAX_FILE_LENGTH) return refused("The file is too large for an agent file.");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused("This is not JSON.");
  }
  const isOurs =
    typeof value === "object" &&
    value !== null &&
    "format" in value &&
    value.format === AGENT_FILE_FORMAT;
  if (!isOurs) return refused(`This is JSON, but not an agent file: "format" is missing.`);
  const parsed = z.safeParse(agentFile, value);
  if (!parsed.success) return refused(...parsed.error.issues.map(issueText));
  const minutes = parseInterval(parsed.data.interval)?.minutes ?? null;
  const faults = parsed.data.alerts.flatMap(({ name, condition }) => {
    const fault = condition === undefined ? null : checkCondition(condition, minutes, ASSETS);
    return fault === null ? [] : [`${name}: ${fault.reason}`];
  });
  return faults.length > 0 ? refused(...faults) : { ok: true, file: parsed.data };
}

function issueText(issue: z.core.$ZodIssue): string {
  const place = issue.path.length === 0 ? "" : `${issue.path.map(String).join(".")}: `;
  if (issue.code === "unrecognized_keys") {
    return `${place}${issue.keys.join(", ")} does not belong in an agent file.`;
  }
  return `${place}${issue.message}`;
}
