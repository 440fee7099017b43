import { getBalances } from "../../contract/wallet.ts";
import { listSignals } from "../../contract/signals.ts";
import { useRead } from "../queries/read.ts";
import { Plus, Settings2, Check } from "lucide-react";
import { memo, Suspense, useDeferredValue, useState, type ReactNode } from "react";
import { closeTab, shownTabs, showTab, useOpenTabs } from "../tabs/open-tabs.ts";
import { FALLBACK_TAB_ID, findTab, TABS } from "../tabs/registry.ts";
import { shownDecision } from "../tabs/handed-over.ts";
import { showOnChart } from "../tabs/show-on-chart.ts";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu } from "../ui/menu.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../ui/tabs.tsx";
import { openAgentDialog, openDepositDialog } from "../lib/dialogs.ts";
import { useActionContext } from "../actions/action-context.ts";
import { clsx } from "clsx";
import { Card } from "../ui/card.tsx";
import { FIRST_HEADING, FIRST_LINE } from "./first-words.ts";
import { FaucetButton } from "../custody/faucet-button.tsx";
import { firstHeard } from "../features/agent/signals/heard-alert.ts";
import { useSessionStatus } from "../lib/session.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { ConnectAction } from "./connect-action.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { useWallet } from "../wallet/wallet.ts";

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
      <MainPanels open={open} current={settled} />
    </Tabs>
  );
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
            <Suspense fallback={<Skeleton className="m-4 h-40" />}>
              {id === "portfolio" ? <GetStarted>{view}</GetStarted> : view}
            </Suspense>
          </TabPanel>
        );
      })}
    </div>
  );
});

interface GetStartedProps {
  /** Content below the steps; rendered once it is known whether the steps are shown, so that it does not shift. */
  readonly children: ReactNode;
}

/** Onboarding steps from wallet to first alert; hidden once the first alert has arrived and been seen. */
function GetStarted({ children }: GetStartedProps) {
  const steps = useFirstSteps();
  const [wasWaiting, setWaiting] = useState(false);
  if (steps === null) return null;
  const undone = steps.findIndex(({ isDone }) => !isDone);
  const lastIndex = steps.length - 1;
  if (undone === lastIndex && !wasWaiting) setWaiting(true);
  if (undone === -1 && !wasWaiting) return children;
  const currentIndex = undone === -1 ? lastIndex : undone;

  return (
    <>
      <div className="p-4 max-sm:p-3">
        <Card aria-labelledby="get-started" className="mx-auto max-w-[640px]">
          <h2 id="get-started" className="text-lg font-semibold">
            {FIRST_HEADING}
          </h2>
          <p className="mt-0.5 text-sm text-muted">{FIRST_LINE}</p>
          <ol className="mt-4 flex flex-col">
            {steps.map((step, index) => {
              const isCurrent = index === currentIndex;
              return (
                <li
                  key={step.title}
                  aria-current={isCurrent ? "step" : undefined}
                  className={clsx(
                    "-mx-2 flex items-start gap-3 rounded-md px-2 py-2.5",
                    isCurrent && "bg-raised",
                  )}
                >
                  <span
                    className={clsx(
                      "mt-px inline-flex size-5 shrink-0 items-center justify-center rounded-full text-2xs font-semibold",
                      step.isDone
                        ? "bg-up-soft text-up"
                        : isCurrent
                          ? "bg-accent text-accent-ink"
                          : "border text-faint",
                    )}
                  >
                    {step.isDone ? <Check aria-label="Done" className="size-3" /> : index + 1}
                  </span>
                  <div className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-4 gap-y-2">
                    <div className="min-w-0 grow basis-56">
                      <p className={clsx("text-sm", isCurrent ? "font-semibold" : "text-muted")}>
                        {step.title}
                      </p>
                      {isCurrent && <p className="mt-0.5 text-xs text-muted">{step.text}</p>}
                    </div>
                    {isCurrent && step.action}
                    {isCurrent && step.content && (
                      <div className="min-w-0 basis-full">{step.content}</div>
                    )}
                  </div>
                </li>
              );
            })}
          </ol>
          {undone === -1 && (
            <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
              <p className="text-sm font-medium text-up">All set: your agent hears your charts.</p>
              <Button tone="primary" onClick={() => setWaiting(false)}>
                Done
              </Button>
            </div>
          )}
        </Card>
      </div>
      {children}
    </>
  );
}

const FirstAlert = lazyPart(() => import("../features/agent/signals/first-alert.tsx"));

const isSomething = (text: string | null | undefined) => /[1-9]/.test(text ?? "");

interface FirstStep {
  readonly title: string;
  readonly text: string;
  readonly isDone: boolean;
  readonly action?: ReactNode;
  /** Content shown below the step's text. */
  readonly content?: ReactNode;
}

/** Returns the onboarding steps up to the first alert; null while the progress is unknown. */
function useFirstSteps(): readonly FirstStep[] | null {
  const { address, agent, chats, chatId, network } = useActionContext();
  const walletAddress = useWallet((state) => state.address);
  const balances = useRead(getBalances, {
    params: { walletAddress: address },
    query: { network },
  }).data;
  const firstAgent = agent ?? chats?.find((chat) => chat.agent)?.agent ?? null;
  const isPractice = network === "practice";
  const hasAccount = firstAgent?.subAccountId !== undefined;
  const agentId = firstAgent?.id ?? "";
  const signals = useRead(
    listSignals,
    { params: { agentId } },
    { enabled: hasAccount && address !== "" },
  ).data;
  const isRestoring = useSessionStatus() === "restoring";
  if (isRestoring) return null;
  if (address !== "" && (chats === undefined || (hasAccount && signals === undefined))) return null;

  return [
    {
      title: "Connect a wallet",
      text: isPractice
        ? "The Practice wallet lives in this browser and holds practice money only."
        : "Your wallet owns the vault. The agent can trade, never withdraw.",
      isDone: walletAddress !== "",
      action: <ConnectAction isConnected={false} />,
    },
    {
      title: "Sign in",
      text: "Sign one message to prove that the wallet is yours. It moves no funds.",
      isDone: address !== "",
      action: <ConnectAction isConnected />,
    },
    {
      title: isPractice ? "Take practice money" : "Fund your wallet",
      text: isPractice
        ? "10 SOL and 10,000 USDC to try everything with. It is not real."
        : "About 0.25 SOL for the set-up and whatever the agent shall trade with.",
      isDone:
        hasAccount || (isSomething(balances?.sol) && (!isPractice || isSomething(balances?.quote))),
      action: isPractice ? (
        <FaucetButton tone="primary" />
      ) : (
        <CopyButton text={walletAddress} label="Copy wallet address" withText />
      ),
    },
    {
      title: "Create an agent",
      text: "Choose venue and market, then start from a template, or name your alerts and say what each one does.",
      isDone: firstAgent !== null,
      action: (
        <Button tone="primary" onClick={() => openAgentDialog({ chatId })}>
          Create agent
        </Button>
      ),
    },
    {
      title: "Make the first deposit",
      text: "It sets the agent's vault and trading account up. Every step is shown before you sign.",
      isDone: hasAccount,
      action: firstAgent && (
        <Button tone="primary" onClick={() => openDepositDialog({ chatId: firstAgent.chatId })}>
          Deposit
        </Button>
      ),
    },
    {
      title: "Receive the first alert",
      text: "Let a built-in condition fire it, connect TradingView, or send a test alert from here.",
      isDone: firstHeard(signals ?? []) !== undefined,
      content: firstAgent && (
        <Suspense fallback={<Skeleton className="h-[460px]" />}>
          <FirstAlert
            agentId={firstAgent.id}
            interval={firstAgent.interval}
            onUseCondition={() => openAgentDialog({ chatId: firstAgent.chatId, section: "rules" })}
          />
        </Suspense>
      ),
    },
  ];
}
