import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { FaucetButton } from "../features/faucet/faucet-button.tsx";
import { SignInButton } from "../features/sign-in/sign-in-button.tsx";
import { ConnectButton } from "../features/wallet-menu/connect-button.tsx";
import { balancesQuery } from "../queries/balances.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { useWallet } from "../wallet/wallet.ts";
import { useController } from "./app-context.ts";
import { openAgentDialog, openDepositDialog, openDialog } from "./dialogs.ts";
import type { WorkspaceData } from "./use-workspace.ts";

const isSomething = (text: string | null | undefined) => /[1-9]/.test(text ?? "");

interface GuideStep {
  readonly title: string;
  readonly text: string;
  readonly isDone: boolean;
  readonly action: ReactNode;
}

/** Leads a newcomer from wallet to money to agent; gone once the agent has its account. */
export function GetStarted({ workspace }: { readonly workspace: WorkspaceData }) {
  const controller = useController();
  const { address, agent, chats, chatId, network } = workspace;
  const walletAddress = useWallet((state) => state.address);
  const balances = useQuery(balancesQuery(address, network)).data;
  const firstAgent = agent ?? chats?.find((chat) => chat.agent)?.agent ?? null;
  const isPractice = network === "practice";
  const hasAccount = firstAgent?.number !== undefined && firstAgent.number >= 0;

  const steps: readonly GuideStep[] = [
    {
      title: "Connect a wallet",
      text: isPractice
        ? "The Practice wallet lives in this browser and holds practice money only."
        : "Your wallet owns the vault. The agent can trade, never withdraw.",
      isDone: walletAddress !== "",
      action: (
        <ConnectButton
          onConnect={(type) => void controller.connect(type)}
          onPhantomMissing={() => openDialog({ kind: "wallet-required" })}
        />
      ),
    },
    {
      title: "Sign in",
      text: "Sign one message to prove that the wallet is yours. It moves no funds.",
      isDone: address !== "",
      action: <SignInButton onSignIn={() => void controller.signIn()} />,
    },
    {
      title: isPractice ? "Take practice money" : "Fund your wallet",
      text: isPractice
        ? "10 SOL and 10,000 USDC to try everything with. It is not real."
        : "About 0.25 SOL for the set-up and whatever the agent shall trade with.",
      isDone:
        hasAccount || (isSomething(balances?.sol) && (!isPractice || isSomething(balances?.quote))),
      action: isPractice ? (
        <FaucetButton address={address} tone="primary" />
      ) : (
        <CopyButton text={walletAddress} label="Copy wallet address" withText />
      ),
    },
    {
      title: "Create an agent",
      text: "Choose venue and market, name your alerts, and say what each one does.",
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
  ];
  const currentIndex = steps.findIndex(({ isDone }) => !isDone);
  if (currentIndex === -1) return null;

  return (
    <div className="p-4">
      <Card aria-labelledby="get-started" className="mx-auto max-w-[640px]">
        <h2 id="get-started" className="text-lg font-semibold">
          From alert to trade in five steps
        </h2>
        <p className="mt-0.5 text-sm text-muted">
          Your charts send alerts, your agent trades them, your wallet keeps the keys.
        </p>
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
                </div>
              </li>
            );
          })}
        </ol>
      </Card>
    </div>
  );
}
