import { useQuery } from "@tanstack/react-query";
import { PanelLeft, Search, ChevronDown, Wallet } from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import { chatName } from "../features/chat/list/group-chats.ts";
import { PositionStrip } from "../features/trading/position-strip.tsx";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { ConnectAction } from "./connect-action.tsx";
import { lazyPart, PartExit } from "../ui/lazy-part.tsx";
import { NetworkBadge, networkLabel } from "../ui/badge.tsx";
import { Switch } from "../ui/switch.tsx";
import { deploymentQuery, troubledNodes, troubledPrices } from "../queries/deployment.ts";
import { openAbove, openAgentDialog, toggleDialog, openDialog } from "../lib/dialogs.ts";
import { ThemeButton } from "./theme-button.tsx";
import { ZoneButton } from "./zone-button.tsx";
import { useActionContext } from "../actions/action-context.ts";
import { clsx } from "clsx";
import type { Agent } from "../../contract/agent.ts";
import { shortenAddress } from "../lib/format.ts";
import { useMedia } from "../lib/use-media.ts";
import { useSessionStatus } from "../lib/session.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { getCustody } from "../../contract/custody.ts";
import { useRead } from "../queries/read.ts";
import { useTransaction } from "../queries/transactions.ts";
import { Spinner } from "../ui/spinner.tsx";
import { useWallet } from "../wallet/wallet.ts";

// Loaded on demand because it is rarely shown
const ConditionBar = lazyPart(() => import("../features/trading/condition-bar.tsx"), {
  isAbove: true,
});

const PhoneFigures = lazyPart(() => import("./phone-figures.tsx"), { isAbove: true });
const PageTitle = lazyPart(() => import("./page-title.tsx"), { isAbove: true });

const Inbox = lazyPart(() => import("./inbox/inbox.tsx"), { isAbove: true });

export function WorkspaceHeader() {
  const { address, agent, isAgentAwaited, chat, chatId, network, toggleSidebar } =
    useActionContext();
  const openAgent = () => openAgentDialog({ chatId });
  const isWide = useMedia("(min-width: 768px)");
  const deployment = useQuery(deploymentQuery).data;
  const nodes = troubledNodes(deployment, network);
  const prices = troubledPrices(deployment, network, agent?.venue);
  const strip = agent?.subAccountId !== undefined && address !== "" && (
    <PositionStrip key={agent.id} agent={agent} />
  );
  return (
    <header className="shrink-0 border-b bg-surface">
      <Suspense>{agent && <PageTitle agent={agent} />}</Suspense>
      <div className="flex min-h-12 items-center gap-1.5 px-2 py-1 md:gap-2">
        <IconButton
          label="Toggle sidebar"
          icon={<PanelLeft aria-hidden />}
          onClick={toggleSidebar}
          className="max-md:hidden"
        />
        <AgentPill
          agent={agent}
          name={chat ? chatName(chat) : "Wheelhouse"}
          below={!isWide && <span className="text-2xs text-practice">{networkLabel(network)}</span>}
        />
        {isWide && <NetworkBadge network={network} />}
        <div className="ml-auto flex min-w-0 shrink-0 items-center gap-1.5 md:gap-2">
          {agent && address !== "" && <ApprovalPill agent={agent} />}
          <AutoTrade agent={agent} isWide={isWide} strip={strip} />
          <span className="flex max-md:hidden">
            <IconButton
              label="Command palette"
              aria-keyshortcuts="Control+K Meta+K"
              icon={<Search aria-hidden />}
              onClick={() => toggleDialog("palette")}
            />
            <ThemeButton />
            <ZoneButton />
          </span>
          {address !== "" && (
            <Suspense fallback={<span className="size-8" />}>
              <Inbox key={address} />
            </Suspense>
          )}
          <WalletCorner />
        </div>
      </div>
      {isWide && (strip || isAgentAwaited) && (
        <div className="border-t px-4 py-1">
          {/* Keeps the place, so that nothing below moves when the agent comes */}
          {strip || <div className="min-h-8" />}
        </div>
      )}
      {(agent?.trading || agent?.nearLimits || nodes !== null || (agent && prices !== null)) && (
        <Suspense>
          <ConditionBar
            address={address}
            agent={agent}
            condition={agent?.trading}
            nearLimits={agent?.nearLimits}
            nodes={nodes}
            prices={prices}
            onDetails={openAgent}
          />
        </Suspense>
      )}
    </header>
  );
}

interface AutoTradeProps {
  readonly agent: Agent | null;
  readonly isWide: boolean;
  /** Position, shown by phones together with the switch. */
  readonly strip: ReactNode;
}

/** Switch of auto-trade and the button that stops it; on phones the P&L, with the switch behind it, and the button. */
function AutoTrade({ agent, isWide, strip }: AutoTradeProps) {
  const { address, chatId } = useActionContext();
  if (agent === null || agent.custody?.status === "deleting") return null;
  const isOff = agent.autoTrade === "off";
  const autoTradeSwitch = (
    <Switch
      tone="up"
      label="Auto-Trade"
      checked={!isOff}
      onCheckedChange={() => openAgentDialog({ chatId })}
    />
  );
  return (
    <span className="flex items-center gap-1.5 md:gap-2">
      {isWide ? (
        autoTradeSwitch
      ) : (
        <Suspense>
          <PhoneFigures agent={agent}>
            {strip}
            {autoTradeSwitch}
          </PhoneFigures>
        </Suspense>
      )}
      {!isOff && address !== "" && (
        <Button
          size="small"
          tone="caution"
          aria-label="Stop trading"
          busy={agent.autoTrade === "stopping"}
          onClick={() => openAbove("auto-trade")}
        >
          Stop
        </Button>
      )}
    </span>
  );
}

interface AgentPillProps {
  readonly agent: Agent | null;
  readonly name: string;
  /** Second line, on phones. */
  readonly below: ReactNode;
}

/** The agent's name with a dot: green and pulsing while auto-trade is on, red while off, amber while something limits it. */
function AgentPill({ agent, name, below }: AgentPillProps) {
  const state = agent?.autoTrade ?? "no agent";
  const isOn = state === "on" || state === "stopping";
  const isLimited = agent?.trading !== undefined;
  return (
    <span
      title={name}
      className="inline-flex h-10 min-w-0 items-center gap-1.5 rounded-lg border bg-raised px-2 md:h-8 md:gap-2 md:rounded-full md:px-3 lg:max-w-52 lg:shrink-0"
    >
      <span aria-hidden className="relative inline-flex size-2 shrink-0">
        {agent && (
          <span
            className={clsx(
              "absolute inset-0 animate-[ping-soft_2s_ease-out_infinite] rounded-full opacity-60",
              isLimited ? "bg-warn" : isOn ? "bg-up" : "bg-down",
            )}
          />
        )}
        <span
          className={clsx(
            "relative size-2 rounded-full",
            agent === null ? "bg-line-strong" : isLimited ? "bg-warn" : isOn ? "bg-up" : "bg-down",
          )}
        />
      </span>
      <span className="flex min-w-0 flex-col">
        <h1 className="truncate text-sm font-medium max-md:leading-4">{name}</h1>
        {below}
      </span>
      <span className="sr-only">, auto-trade {state}</span>
      {agent?.custody?.status === "deleting" && (
        <span className="text-2xs whitespace-nowrap text-warn">Being deleted</span>
      )}
      {state === "stopping" && <span className="text-2xs text-warn">Stopping</span>}
    </span>
  );
}

const WalletPopover = lazyPart(() => import("./wallet-popover.tsx"), {
  isAbove: true,
  standIn: ({ trigger }) => trigger,
});

/** Wallet area of the header: connect, sign in, or the address with its panel. */
function WalletCorner() {
  const [wasOpened, setOpened] = useState(false);
  const wallet = useWallet((state) => state);
  const status = useSessionStatus();
  const { address } = useActionContext();

  if (wallet.status !== "connected" || wallet.type === null) {
    if (status === "restoring") return <Skeleton className="h-8 w-28" />;
    return <ConnectAction isConnected={false} />;
  }
  const signIn = <ConnectAction isConnected />;
  const trigger = (
    <Button
      aria-haspopup="dialog"
      onPointerEnter={WalletPopover.preload}
      onFocus={WalletPopover.preload}
      onClick={() => setOpened(true)}
    >
      <Wallet aria-hidden className="md:hidden" />
      <span className="font-mono text-xs max-md:sr-only">{shortenAddress(wallet.address)}</span>
      <ChevronDown aria-hidden className="max-md:hidden" />
    </Button>
  );
  return (
    <div className="flex items-center gap-2">
      {address === "" && (
        <span className={status === "restoring" ? "max-md:hidden" : ""}>{signIn}</span>
      )}
      {wasOpened ? (
        <PartExit value={() => setOpened(false)}>
          <Suspense fallback={trigger}>
            <WalletPopover
              trigger={trigger}
              signIn={signIn}
              address={wallet.address}
              type={wallet.type}
            />
          </Suspense>
        </PartExit>
      ) : (
        trigger
      )}
    </div>
  );
}

/** Header button shown while a transaction of the agent is pending; reopens its approval. */
export function ApprovalPill({ agent }: { readonly agent: Agent }) {
  const { data: custody } = useRead(getCustody, { params: { agentId: agent.id } });
  const openId = custody?.openTransactionId ?? "";
  const { data: transaction } = useTransaction(openId);
  if (openId === "" || transaction?.state !== "sent") return null;
  return (
    <button
      type="button"
      onClick={() =>
        openDialog({ kind: "approval", chatId: agent.chatId, transactionId: transaction.id })
      }
      className="tint inline-flex h-8 min-w-0 items-center gap-2 rounded-full border border-transparent bg-warn-soft px-2 lg:px-3 text-xs font-medium text-warn hover:border-warn"
    >
      <Spinner />
      <span className="truncate max-lg:sr-only">
        {transaction.label} - transaction {transaction.step} of {transaction.stepCount}
      </span>
    </button>
  );
}
