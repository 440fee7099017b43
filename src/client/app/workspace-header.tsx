import { useQuery } from "@tanstack/react-query";
import { PanelLeft, Search } from "lucide-react";
import { Suspense } from "react";
import { chatName } from "../features/chats/group-chats.ts";
import { PositionStrip } from "../features/positions/position-strip.tsx";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { NetworkBadge } from "../ui/network-badge.tsx";
import { Switch } from "../ui/switch.tsx";
import { AgentPill } from "./agent-pill.tsx";
import { ApprovalPill } from "./approval-pill.tsx";
import { deploymentQuery, troubledNodes } from "../queries/deployment.ts";
import { openAbove, openAgentDialog, toggleDialog } from "../lib/dialogs.ts";
import { ThemeButton } from "./theme-button.tsx";
import type { WorkspaceData } from "./use-workspace.ts";
import { ZoneButton } from "./zone-button.tsx";
import { WalletCorner } from "./wallet-corner.tsx";

// Loaded on demand because it is rarely shown
const ConditionBar = lazyPart(() => import("../features/trading-condition/condition-bar.tsx"), {
  isAbove: true,
});

interface WorkspaceHeaderProps {
  readonly workspace: WorkspaceData;
  readonly onToggleSidebar: () => void;
  readonly onAutoTrade: () => void;
}

export function WorkspaceHeader({ workspace, onToggleSidebar, onAutoTrade }: WorkspaceHeaderProps) {
  const { address, agent, chat, chatId, network } = workspace;
  const nodes = troubledNodes(useQuery(deploymentQuery).data, network);
  const strip = agent?.isFunded && address !== "" && (
    <PositionStrip address={address} agent={agent} />
  );
  const autoTrade = agent && agent.custody?.status !== "deleting" && (
    <span className="flex items-center gap-2">
      <Switch
        tone="up"
        label="Auto-Trade"
        checked={agent.autoTrade !== "off"}
        onCheckedChange={onAutoTrade}
      />
      {agent.autoTrade !== "off" && address !== "" && (
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
  return (
    <header className="shrink-0 border-b bg-surface">
      <div className="flex min-h-12 items-center gap-1.5 px-2 py-1 md:gap-2">
        <IconButton
          label="Toggle sidebar"
          icon={<PanelLeft aria-hidden />}
          onClick={onToggleSidebar}
          className="max-md:hidden"
        />
        <AgentPill agent={agent} name={chat ? chatName(chat) : "Wheelhouse"} />
        <NetworkBadge network={network} />
        <div className="ml-2 min-w-0 max-lg:hidden">{strip}</div>
        <div className="ml-auto flex min-w-0 shrink-0 items-center gap-2">
          {agent && address !== "" && <ApprovalPill address={address} agent={agent} />}
          <span className="max-md:hidden">{autoTrade}</span>
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
          <WalletCorner workspace={workspace} />
        </div>
      </div>
      {(strip || agent) && (
        <div
          className={`flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t px-3 py-1.5 lg:hidden ${
            strip ? "" : "md:hidden"
          }`}
        >
          {strip}
          <span className="md:hidden">{autoTrade}</span>
        </div>
      )}
      {(agent?.trading || agent?.nearLimits || nodes !== null) && (
        <Suspense>
          <ConditionBar
            address={address}
            agent={agent}
            condition={agent?.trading}
            nearLimits={agent?.nearLimits}
            nodes={nodes}
            onDetails={() => openAgentDialog({ chatId })}
          />
        </Suspense>
      )}
    </header>
  );
}
