import type { ReactNode } from "react";
import type { Agent } from "../../../contract/agent.ts";
import { VENUE_PROFILES } from "../../../venues/profiles.ts";
import { openDepositDialog, openDialog } from "../../lib/dialogs.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { NetworkBadge } from "../../ui/network-badge.tsx";
import { FundsForm } from "./funds-form.tsx";

export interface ManageFundsProps {
  readonly agent: Agent;
  /** Renders the custody panel below the form, with the action to withdraw everything. */
  readonly renderCustody: (actions: { readonly onWithdrawAll: (() => void) | null }) => ReactNode;
}

function TitleBar({ agent }: { readonly agent: Agent }) {
  return (
    <header className="flex flex-wrap items-center gap-2 border-b px-4 py-3">
      <h2 className="text-base font-semibold">{agent.name}</h2>
      <Badge>{agent.marketId}</Badge>
      <Badge>{VENUE_PROFILES[agent.venue].label}</Badge>
      <NetworkBadge network={agent.network} />
    </header>
  );
}

export function ManageFunds(props: ManageFundsProps) {
  const { agent, renderCustody } = props;
  const isDeleting = agent.custody?.status === "deleting";
  return (
    <div className="flex h-full flex-col">
      <TitleBar agent={agent} />
      <div className="min-h-0 grow overflow-y-auto p-4">
        {isDeleting ? (
          <>
            <AbovePanel>
              <EmptyState
                title="Being deleted"
                action={
                  <Button
                    tone="primary"
                    onClick={() => openDialog({ kind: "delete-chat", chatId: agent.chatId })}
                  >
                    Continue
                  </Button>
                }
              >
                The deletion of this agent has begun and is not finished. Nothing is lost: it goes
                on from where it was left.
              </EmptyState>
            </AbovePanel>
            {renderCustody({ onWithdrawAll: null })}
          </>
        ) : agent.subAccountId !== undefined ? (
          <FundsForm {...props} />
        ) : (
          <>
            <NoAccount agent={agent} />
            {renderCustody({ onWithdrawAll: null })}
          </>
        )}
      </div>
    </div>
  );
}

/** Wrapper with the height of its content, so that the panel below is visible too. */
function AbovePanel({ children }: { readonly children: ReactNode }) {
  return <div className="shrink-0">{children}</div>;
}

/** Shown before the first deposit; continues a set-up that paused between its transactions. */
function NoAccount({ agent }: Pick<ManageFundsProps, "agent">) {
  const { custody } = agent;
  const isPaused = custody?.status === "active" && !custody.tradingKey.isAuthorised;
  if (!isPaused) {
    return (
      <EmptyState
        title="No Trading Account Found"
        action={
          <Button tone="primary" onClick={() => openDepositDialog(agent)}>
            Make the first deposit
          </Button>
        }
      >
        The first deposit must be made via the main deposit dialog. It opens the agent's trading
        account.
      </EmptyState>
    );
  }
  return (
    <AbovePanel>
      <EmptyState
        title="Set-up is not finished"
        action={
          <Button tone="primary" onClick={() => openDepositDialog(agent)}>
            Continue the set-up
          </Button>
        }
      >
        The custody wallet is yours and funded. The trading key may do nothing yet: sign the last
        transaction of the set-up to go on.
      </EmptyState>
    </AbovePanel>
  );
}
