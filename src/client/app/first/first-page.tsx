import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { KeyRound, MessageCircleQuestion, Repeat2 } from "lucide-react";
import { type ReactNode, Suspense, useRef, useState } from "react";
import type { Agent } from "../../../contract/agent.ts";
import { getBalances, getFirstSteps } from "../../../contract/wallet.ts";
import type { ResponseOf } from "../../../contract/route.ts";
import { isBuiltIn } from "../../../domain/network.ts";
import { useActionContext } from "../../actions/action-context.ts";
import { openAgentDialog, openDepositDialog } from "../../lib/dialogs.ts";
import { useTakenFocus } from "../../lib/use-released-focus.ts";
import { useMedia } from "../../lib/use-media.ts";
import { useSessionStatus } from "../../lib/session.ts";
import { deploymentQuery, offersNetwork } from "../../queries/deployment.ts";
import { useRead } from "../../queries/read.ts";
import { showOnChart } from "../../tabs/show-on-chart.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ConnectAction } from "../connect-action.tsx";
import { NetworkChoice, RealVenues } from "./network-choice.tsx";
import { FIRST_HEADING, FIRST_LINE } from "../first-words.ts";
import { useWallet } from "../../wallet/wallet.ts";

const SampleAgent = lazyPart(() => import("./sample-agent.tsx"));

const PROOFS = [
  {
    Icon: KeyRound,
    title: "The keys stay with you",
    text: "The money lies in a vault of your wallet. Our key may trade with it and can never withdraw.",
  },
  {
    Icon: Repeat2,
    title: "What trades is what simulates",
    text: "One code for both: see what your rules would have done before you deposit.",
  },
  {
    Icon: MessageCircleQuestion,
    title: "Every trade explains itself",
    text: "Which figure crossed which line, which rule fired, and what it cost.",
  },
] as const;

/** What the product is: one sentence and three proofs. */
function Hero() {
  return (
    <Card aria-labelledby="first-words">
      <h2 id="first-words" className="text-lg font-semibold">
        {FIRST_HEADING}
      </h2>
      <p className="mt-0.5 text-sm text-muted">{FIRST_LINE}</p>
      <ul className="mt-4 grid gap-x-6 gap-y-3 md:grid-cols-3">
        {PROOFS.map(({ Icon, title, text }) => (
          <li key={title} className="flex gap-2.5">
            <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-text" />
            <div>
              <p className="text-sm font-medium">{title}</p>
              <p className="text-xs text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface FirstPageProps {
  /** Button of the step that asks for money. */
  readonly moneyAction: ReactNode;
  /** Content below; rendered once it is known whether the steps are shown, so that it does not shift. */
  readonly children: ReactNode;
}

/**
 * First page: what this is, a sample agent to look at, and the steps from wallet to first alert; hidden once the first
 * alert has arrived and been seen.
 */
export default function FirstPage({ moneyAction, children }: FirstPageProps) {
  const { address, chats, network } = useActionContext();
  const deployment = useQuery(deploymentQuery).data;
  const read = useRead(
    getFirstSteps,
    { params: { walletAddress: address } },
    { enabled: address !== "" },
  );
  const done = read.data;
  const steps = useFirstSteps(moneyAction, done);
  const [wasWaiting, setWaiting] = useState(false);
  // Kept here, because the list moves once there is an agent
  const [firstIndex, setFirstIndex] = useState<number | null>(null);
  // Where the two are below each other, what to do comes before what to look at
  const isWide = useMedia("(min-width: 768px)");
  if (steps === null) return read.isError ? children : null;
  const undone = steps.findIndex(({ isDone }) => !isDone);
  const lastIndex = steps.length - 1;
  if (undone === lastIndex && !wasWaiting) setWaiting(true);
  const currentIndex = undone === -1 ? lastIndex : undone;
  if (firstIndex === null) setFirstIndex(currentIndex);
  if (undone === -1 && !wasWaiting) return children;
  // What deleted agents made stays to be seen
  const hasAgent = done?.hasMadeAgent === true || chats?.some(({ agent }) => agent) === true;
  const isVisitor = address === "";
  const list = (
    <FirstSteps
      key="steps"
      steps={steps}
      currentIndex={currentIndex}
      hasAgent={hasAgent}
      takesFocus={firstIndex !== null && currentIndex !== firstIndex}
      onDone={undone === -1 ? () => setWaiting(false) : null}
    />
  );
  if (hasAgent) {
    return (
      <>
        <div className="mx-auto w-full max-w-[640px] p-4 max-sm:p-3">{list}</div>
        {children}
      </>
    );
  }
  const sample = (
    <Suspense key="sample" fallback={<Skeleton className="h-96" />}>
      <SampleAgent network={offersNetwork(deployment, "practice") ? "practice" : network} />
    </Suspense>
  );
  return (
    <div className="@container mx-auto w-full max-w-[1200px] p-4 max-sm:p-3">
      <div className="flex flex-col gap-4">
        {isVisitor && <Hero />}
        <div
          className={clsx(
            "grid items-start gap-4",
            isVisitor ? "@3xl:grid-cols-[3fr_2fr]" : "@3xl:grid-cols-[2fr_3fr]",
          )}
        >
          {isVisitor && isWide ? [sample, list] : [list, sample]}
        </div>
      </div>
    </div>
  );
}

interface FirstStepsProps {
  readonly steps: readonly FirstStep[];
  readonly currentIndex: number;
  /** True after the step that the page began with. */
  readonly takesFocus: boolean;
  readonly hasAgent: boolean;
  /** Leaves the steps; null before the last one is done. */
  readonly onDone: (() => void) | null;
}

/** List of the steps. The focus goes to a new step's button when the former one's is gone. */
function FirstSteps({ steps, currentIndex, hasAgent, takesFocus, onDone }: FirstStepsProps) {
  const current = useRef<HTMLLIElement>(null);
  const done = useRef<HTMLButtonElement>(null);
  const isOver = onDone !== null;
  useTakenFocus(takesFocus, `${currentIndex} ${isOver}`, () =>
    isOver ? done.current : current.current?.querySelector("button"),
  );
  return (
    <Card aria-labelledby="get-started">
      <h2 id="get-started" className="text-lg font-semibold">
        From alert to trade in six steps
      </h2>
      {!hasAgent && (
        <>
          <NetworkChoice />
          <RealVenues />
        </>
      )}
      <ol className="mt-3 flex flex-col">
        {steps.map((step, index) => {
          const isCurrent = index === currentIndex;
          return (
            <li
              key={step.title}
              ref={isCurrent ? current : null}
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
                {step.isDone ? (
                  <span role="img" aria-label="Done">
                    ✓
                  </span>
                ) : (
                  index + 1
                )}
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
      {onDone !== null && (
        <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
          <p className="text-sm font-medium text-up">All set: your agent hears its alerts.</p>
          <Button ref={done} tone="primary" onClick={onDone}>
            Done
          </Button>
        </div>
      )}
    </Card>
  );
}

const FirstAlert = lazyPart(() => import("../../features/agent/signals/first-alert.tsx"));
const StarterChoice = lazyPart(() => import("./starter-choice.tsx"));
const NextDecision = lazyPart(() => import("../../tabs/next-decision.tsx"));

const isSomething = (text: string | null | undefined) => /[1-9]/.test(text ?? "");

/** Returns the first agent that has an account; without one the first of all. */
function firstOf(all: readonly (Agent | null | undefined)[]): Agent | null {
  const agents = all.filter((each) => each != null);
  return agents.find(({ subAccountId }) => subAccountId !== undefined) ?? agents[0] ?? null;
}

interface FirstStep {
  readonly title: string;
  readonly text: string;
  readonly isDone: boolean;
  readonly action?: ReactNode;
  /** Content shown below the step's text. */
  readonly content?: ReactNode;
}

/** Returns the onboarding steps up to the first alert; null while the progress is unknown. */
function useFirstSteps(
  moneyAction: ReactNode,
  done: ResponseOf<typeof getFirstSteps> | undefined,
): readonly FirstStep[] | null {
  const { address, agent, chats, chatId, network, controller } = useActionContext();
  const hasPracticeWallet = useWallet(({ available }) => available.includes("practice"));
  const walletAddress = useWallet((state) => state.address);
  const balances = useRead(getBalances, {
    params: { walletAddress: address },
    query: { network },
  }).data;
  const firstAgent = firstOf([agent, ...(chats ?? []).map((chat) => chat.agent)]);
  const isPractice = isBuiltIn(network);
  const hasDeposited = done?.hasDeposited === true || firstAgent?.subAccountId !== undefined;
  if (useSessionStatus() === "restoring") return null;
  if (address !== "" && (chats === undefined || done === undefined)) return null;
  const createAgent = (
    <Button tone="primary" onClick={() => openAgentDialog({ chatId })}>
      Create agent
    </Button>
  );

  return [
    {
      title: "Connect a wallet",
      text: isPractice
        ? "The Practice wallet lives in this browser and holds practice money only."
        : "Your wallet owns the vault. The agent can trade, never withdraw.",
      isDone: walletAddress !== "",
      action:
        isPractice && hasPracticeWallet ? (
          <Button tone="primary" onClick={() => void controller.connectAndSignIn("practice")}>
            Use the Practice wallet
          </Button>
        ) : (
          <ConnectAction isConnected={false} />
        ),
    },
    {
      title: "Sign in",
      text: "Sign one message to prove that the wallet is yours. It moves no funds.",
      isDone: address !== "",
      action: <ConnectAction isConnected />,
    },
    {
      title: isPractice ? `Take ${network} money` : "Fund your wallet",
      text: isPractice
        ? "10 SOL and 10,000 USDC to try everything with. It is not real."
        : "About 0.25 SOL for the set-up and whatever the agent shall trade with.",
      isDone:
        hasDeposited ||
        (isSomething(balances?.sol) && (!isPractice || isSomething(balances?.quote))),
      action: moneyAction,
    },
    {
      title: "Create an agent",
      text: "A starter fills the form for you; or name your alerts and say what each one does.",
      isDone: done?.hasMadeAgent === true || firstAgent !== null,
      action: createAgent,
      content: (
        <Suspense fallback={<Skeleton className="h-7" />}>
          <StarterChoice chatId={chatId} network={network} />
        </Suspense>
      ),
    },
    {
      title: "Make the first deposit",
      text: "It sets the agent's vault and trading account up. Every step is shown before you sign.",
      isDone: hasDeposited,
      action: firstAgent && (
        <Button tone="primary" onClick={() => openDepositDialog({ chatId: firstAgent.chatId })}>
          Deposit
        </Button>
      ),
    },
    {
      title: "Receive the first alert",
      text: "Let a built-in condition fire it, connect TradingView, or send a test alert from here.",
      isDone: done?.hasHeard === true,
      action: firstAgent === null && createAgent,
      content: firstAgent && (
        <Suspense fallback={<Skeleton className="h-[460px]" />}>
          <div className="mb-4">
            <NextDecision
              agent={firstAgent}
              isOpen
              onShowOnChart={(preview) => showOnChart(firstAgent.chatId, preview)}
            />
          </div>
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
