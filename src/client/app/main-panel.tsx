import { Plus, Settings2 } from "lucide-react";
import { memo, Suspense, useDeferredValue, useState } from "react";
import { closeTab, shownTabs, showTab, useOpenTabs } from "../tabs/open-tabs.ts";
import { FALLBACK_TAB_ID, findTab, TABS } from "../tabs/registry.ts";
import { shownDecision } from "../tabs/handed-over.ts";
import { showOnChart } from "../tabs/show-on-chart.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu } from "../ui/menu.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../ui/tabs.tsx";
import { openAgentDialog } from "../lib/dialogs.ts";
import { FaucetButton } from "../custody/faucet-button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { BROWSED } from "../actions/browse.ts";
import { useActionContext } from "../actions/action-context.ts";
import { isBuiltIn } from "../../domain/network.ts";
import { FIRST_HEADING, FIRST_LINE } from "./first-words.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { useWallet } from "../wallet/wallet.ts";

// What a newcomer sees first comes with the page; the tabs do not wait for it
const FirstPage = lazyPart(() => import("./first/first-page.tsx"));
FirstPage.preload();

/** Trading pane of the workspace: tab list and the selected tab's panel. */
export function MainPanel() {
  const { open, active } = useOpenTabs();
  const { address, chatId, agent, isAgentAwaited } = useActionContext();
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
        <Menu
          align="start"
          trigger={<IconButton size="small" label="Add tab" icon={<Plus aria-hidden />} />}
          entries={[
            ...closed.map((tab) => ({ ...tab, perform: () => showTab(tab.id) })),
            ...BROWSED,
          ].map(({ label, note, icon: Icon, perform }) => ({
            id: label,
            label,
            note,
            icon: <Icon aria-hidden />,
            onSelect: perform,
          }))}
        />
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
      <MainPanels open={open} current={settled} />
    </Tabs>
  );
}

const LOADING = <Skeleton className="m-4 h-40" />;

/** The first words while their page loads, as index.html has them; nothing where it hides them. */
function FirstWords() {
  if ("known" in document.documentElement.dataset) return LOADING;
  return (
    <div className="mx-auto w-full max-w-[1200px] p-4 max-sm:p-3">
      <Card>
        <p className="text-lg font-semibold">{FIRST_HEADING}</p>
        <p className="mt-0.5 text-sm text-muted">{FIRST_LINE}</p>
      </Card>
    </div>
  );
}

/** Button for the first money. It is in the first load, because approving uses both buttons too. */
function MoneyAction() {
  const { network } = useActionContext();
  const address = useWallet((state) => state.address);
  if (isBuiltIn(network)) return <FaucetButton tone="primary" network={network} />;
  return <CopyButton text={address} label="Copy wallet address" withText />;
}

interface MainPanelsProps {
  readonly open: readonly string[];
  readonly current: string;
}

/** Panel of the selected tab; panels with `staysMade` stay mounted while hidden. */
const MainPanels = memo(function MainPanels({ open, current }: MainPanelsProps) {
  const { chatId, agent, network } = useActionContext();
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
                chatId={chatId}
                agent={agent}
                network={network}
                onShowDecision={(entryId) => {
                  shownDecision.setState({ chatId, entryId }, true);
                  showTab("causal-factor-graphs");
                }}
                onShowOnChart={(preview) => showOnChart(chatId, preview)}
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
            <Suspense fallback={id === "portfolio" ? <FirstWords /> : LOADING}>
              {id === "portfolio" ? (
                <FirstPage moneyAction={<MoneyAction />}>{view}</FirstPage>
              ) : (
                view
              )}
            </Suspense>
          </TabPanel>
        );
      })}
    </div>
  );
});
