import { type ReactNode, useMemo } from "react";
import { parseInterval } from "../../../domain/interval.ts";
import type { Agent } from "../../queries/agent.ts";
import { pineScript } from "../../../strategy/pine/pine.ts";
import type { Alert } from "../../queries/alerts.ts";
import type { Rule } from "../../queries/rules.ts";
import { Tab, TabList, TabPanel, Tabs } from "../../ui/tabs.tsx";
import { agentFileOf, jsonText } from "./agent-file-text.ts";
import { CodeView } from "./code-view.tsx";
import { curlText } from "./curl-text.ts";
import { PineView } from "./pine-view.tsx";

interface StrategyViewsProps {
  readonly agent: Agent;
  readonly alerts: readonly Alert[];
  readonly rules: readonly Rule[];
  readonly webhookUrl: string;
  /** Returns the webhook's message for an alert with a placeholder for the time. */
  readonly messageOf: (alertName: string) => string;
  readonly action: ReactNode;
}

/** Returns text as part of a file name: letters, digits and dashes. */
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "-")
    .replaceAll(/^-|-$/g, "") || "agent";

/** Views of an agent file, Pine script and curl commands. */
export function StrategyViews(props: StrategyViewsProps) {
  const { agent, alerts, rules, webhookUrl, messageOf, action } = props;
  const slug = slugOf(agent.name);
  const file = useMemo(
    () => `${jsonText(agentFileOf(agent, alerts, rules))}\n`,
    [agent, alerts, rules],
  );
  const pine = pineScript({
    title: agent.name,
    interval: agent.interval,
    intervalMinutes: parseInterval(agent.interval)?.minutes ?? 60,
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
      <TabPanel value="pine" className="flex grow flex-col">
        <PineView
          script={pine}
          fileName={`${slug}.pine`}
          outside={alerts
            .filter(({ condition }) => condition === undefined)
            .map(({ name }) => name)}
        />
      </TabPanel>
      <TabPanel value="curl" className="flex grow flex-col">
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
