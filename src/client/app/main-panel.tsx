import { Plus, Settings2 } from "lucide-react";
import { memo, Suspense, useDeferredValue, useState } from "react";
import { closeTab, shownTabs, showTab, useOpenTabs } from "../tabs/open-tabs.ts";
import { FALLBACK_TAB_ID, findTab, TABS } from "../tabs/registry.ts";
import { showDecision } from "../tabs/show-decision.ts";
import { showOnChart } from "../tabs/show-on-chart.ts";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu } from "../ui/menu.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../ui/tabs.tsx";
import {
  openAbove,
  openAgentDialog,
  openAgentFile,
  openDepositDialog,
  openDialog,
} from "../lib/dialogs.ts";
import { GetStarted } from "./get-started.tsx";
import type { WorkspaceData } from "./use-workspace.ts";

interface MainPanelProps {
  readonly workspace: WorkspaceData;
}

/** Trading pane of the workspace: tab list and the selected tab's panel. */
export function MainPanel({ workspace }: MainPanelProps) {
  const { open, active } = useOpenTabs();
  const { address, chatId, agent, isAgentAwaited } = workspace;
  // An agent is expected until its absence is known, so that no tab moves under the pointer when it comes
  const shown = shownTabs(open, isAgentAwaited || (address !== "" && agent !== null));
  const current = shown.includes(active) ? active : (shown[0] ?? FALLBACK_TAB_ID);
  const closed = TABS.filter(({ id }) => !open.includes(id));
  // The tab's mark changes in the next frame; rendering the panel is deferred because it may take several
  const settled = useDeferredValue(current);
  return (
    <Tabs
      value={current}
      onValueChange={showTab}
      className="h-full bg-bg"
      onKeyDown={(event) => {
        const isTab = event.target instanceof HTMLElement && event.target.role === "tab";
        if (event.key === "Delete" && isTab) closeTab(current);
      }}
    >
      <div className="flex h-10 shrink-0 items-center gap-1 border-b bg-surface px-2">
        <TabList
          aria-label="Workspace"
          className="min-w-0 overflow-x-auto scroll-px-6 [scrollbar-width:none]"
        >
          {shown.map((id) => {
            const tab = findTab(id);
            if (!tab) return null;
            return (
              <Tab
                key={id}
                value={id}
                aria-keyshortcuts="Delete"
                onAuxClick={(event) => event.button === 1 && closeTab(id)}
              >
                <tab.icon aria-hidden className="size-3.5" />
                {tab.label}
                {shown.length > 1 && id === current && (
                  <span
                    aria-hidden
                    title={`Close ${tab.label}`}
                    onClick={(event) => {
                      event.stopPropagation();
                      closeTab(id);
                    }}
                    className="tint -mr-1.5 inline-flex size-6 items-center justify-center rounded-sm text-faint hover:text-ink"
                  >
                    ×
                  </span>
                )}
              </Tab>
            );
          })}
        </TabList>
        {closed.length > 0 && (
          <Menu
            align="start"
            trigger={<IconButton size="small" label="Add tab" icon={<Plus aria-hidden />} />}
            entries={closed.map((tab) => ({
              id: tab.id,
              label: tab.label,
              icon: <tab.icon aria-hidden />,
              onSelect: () => showTab(tab.id),
            }))}
          />
        )}
        {address !== "" && chatId !== "" && (
          <Button
            size="small"
            className="ml-auto"
            tone={agent ? "secondary" : "primary"}
            aria-label={agent ? "Configure agent" : undefined}
            onClick={() => openAgentDialog({ chatId })}
          >
            {agent ? <Settings2 aria-hidden /> : <Plus aria-hidden />}
            {agent ? "Agent" : "Create agent"}
          </Button>
        )}
      </div>
      <MainPanels open={open} current={settled} workspace={workspace} />
    </Tabs>
  );
}

interface MainPanelsProps extends MainPanelProps {
  readonly open: readonly string[];
  readonly current: string;
}

/** Panel of the selected tab; panels with `staysMade` stay mounted while hidden. */
const MainPanels = memo(function MainPanels({ open, current, workspace }: MainPanelsProps) {
  const { address, chatId, agent, network } = workspace;
  const [made, setMade] = useState<readonly string[]>([]);
  if (findTab(current)?.staysMade && !made.includes(current)) setMade([...made, current]);
  const behind = made.filter((id) => id !== current && open.includes(id));
  return (
    <div className="relative min-h-0 grow">
      {[...behind, current].sort().map((id) => {
        const View = findTab(id)?.view;
        const view = (
          <div className="min-h-0 shrink-0 grow basis-40">
            {View && (
              <View
                address={address}
                chatId={chatId}
                agent={agent}
                network={network}
                onOpenAgent={() => openAgentDialog({ chatId })}
                onAgentFile={(file) => openAgentFile({ chatId }, file)}
                onOpenDeposit={() => openDepositDialog({ chatId })}
                onStop={() => openAbove("auto-trade")}
                onOpenHypothesis={() => openAbove("hypothesis")}
                onShowDecision={(entryId) => showDecision(chatId, entryId)}
                onShowOnChart={(preview) => showOnChart(chatId, preview)}
                onExport={() => openDialog({ kind: "export" })}
                onDelete={() => openDialog({ kind: "delete-chat", chatId })}
              />
            )}
          </div>
        );
        return (
          <TabPanel
            key={id}
            value={id}
            isShown={id === current}
            className="absolute inset-0 flex flex-col overflow-y-auto"
          >
            <Suspense fallback={<Skeleton className="m-4 h-40" />}>
              {id === "portfolio" ? <GetStarted workspace={workspace}>{view}</GetStarted> : view}
            </Suspense>
          </TabPanel>
        );
      })}
    </div>
  );
});
