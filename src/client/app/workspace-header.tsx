import { PanelLeft } from "lucide-react";
import { chatName } from "../features/chats/group-chats.ts";
import { PositionStrip } from "../features/positions/position-strip.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { NetworkBadge } from "../ui/network-badge.tsx";
import { Switch } from "../ui/switch.tsx";
import { AgentPill } from "./agent-pill.tsx";
import { ThemeButton } from "./theme-button.tsx";
import type { WorkspaceData } from "./use-workspace.ts";
import { WalletCorner } from "./wallet-corner.tsx";

interface WorkspaceHeaderProps {
  readonly workspace: WorkspaceData;
  readonly onToggleSidebar: () => void;
  readonly onAutoTrade: () => void;
}

export function WorkspaceHeader({ workspace, onToggleSidebar, onAutoTrade }: WorkspaceHeaderProps) {
  const { address, agent, chat, network } = workspace;
  const hasAccount = agent?.number !== undefined && agent.number >= 0;
  const strip = hasAccount && address !== "" && <PositionStrip address={address} agent={agent} />;
  return (
    <header className="shrink-0 border-b bg-surface">
      <div className="flex h-12 items-center gap-2 px-2">
        <IconButton
          label="Toggle sidebar"
          icon={<PanelLeft aria-hidden />}
          onClick={onToggleSidebar}
          className="max-md:hidden"
        />
        <AgentPill agent={agent} name={chat ? chatName(chat) : "Wheelhouse"} />
        <NetworkBadge network={network} />
        <div className="ml-2 min-w-0 max-lg:hidden">{strip}</div>
        <div className="ml-auto flex shrink-0 items-center gap-2">
          {agent && (
            <span className="max-md:hidden">
              <Switch
                tone="up"
                label="Auto-Trade"
                checked={agent.tradingStatus === "on"}
                onCheckedChange={onAutoTrade}
              />
            </span>
          )}
          <span className="max-md:hidden">
            <ThemeButton />
          </span>
          <WalletCorner workspace={workspace} />
        </div>
      </div>
      {(strip || agent) && (
        <div className="flex items-center gap-3 border-t px-3 py-1.5 lg:hidden">
          <div className="min-w-0 grow">{strip}</div>
          {agent && (
            <span className="md:hidden">
              <Switch
                tone="up"
                label="Auto-Trade"
                checked={agent.tradingStatus === "on"}
                onCheckedChange={onAutoTrade}
              />
            </span>
          )}
        </div>
      )}
    </header>
  );
}
