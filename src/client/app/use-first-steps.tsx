import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import { fillAlertText } from "../features/alerts/alert-text.ts";
import { FaucetButton } from "../custody/faucet-button.tsx";
import { firstHeard } from "../features/signals/heard-alert.ts";
import { SignInButton } from "../features/sign-in/sign-in-button.tsx";
import { ConnectButton } from "../features/wallet-menu/connect-button.tsx";
import { useSessionStatus } from "../lib/session.ts";
import { balancesQuery } from "../queries/balances.ts";
import { signalsQuery } from "../queries/signals.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useWallet } from "../wallet/wallet.ts";
import { useController } from "./app-context.ts";
import { openAgentDialog, openDepositDialog, openDialog } from "../lib/dialogs.ts";
import type { WorkspaceData } from "./use-workspace.ts";

const FirstAlert = lazyPart(() => import("../features/signals/first-alert.tsx"));

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
export function useFirstSteps(workspace: WorkspaceData): readonly FirstStep[] | null {
  const controller = useController();
  const { address, agent, chats, chatId, network } = workspace;
  const walletAddress = useWallet((state) => state.address);
  const balances = useQuery(balancesQuery(address, network)).data;
  const firstAgent = agent ?? chats?.find((chat) => chat.agent)?.agent ?? null;
  const isPractice = network === "practice";
  const hasAccount = firstAgent?.isFunded === true;
  const agentId = firstAgent?.id ?? "";
  const signals = useQuery({
    ...signalsQuery(address, agentId),
    enabled: hasAccount && address !== "",
  }).data;
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
            address={address}
            agentId={firstAgent.id}
            interval={firstAgent.interval}
            fillName={fillAlertText}
            onUseCondition={() => openAgentDialog({ chatId: firstAgent.chatId, section: "rules" })}
          />
        </Suspense>
      ),
    },
  ];
}
