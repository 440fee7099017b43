import { Suspense } from "react";
import { HealthLine } from "../features/agent-health/health-line.tsx";
import { CustodyPanel } from "../features/custody-panel/custody-panel.tsx";
import { ManageFunds } from "../features/funds/manage-funds.tsx";
import { OwnerLimitsCard } from "../features/owner-limits/owner-limits-card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { ensureConnected } from "../wallet/ensure-connected.ts";
import { wallet } from "../wallet/wallet.ts";
import type { TabProps } from "./tab-props.ts";

const ApproveFlow = lazyPart(() => import("../custody/approve-flow.tsx"));

export default function ManageFundsTab(props: TabProps) {
  const { address, agent, onOpenDeposit, onStop, onDelete } = props;
  if (agent === null) {
    return (
      <EmptyState title="No agent selected">
        Connect your wallet and select an agent to manage its funds.
      </EmptyState>
    );
  }
  return (
    <ManageFunds
      key={agent.id}
      address={address}
      agent={agent}
      onFirstDeposit={onOpenDeposit}
      onStop={onStop}
      onContinueDeletion={onDelete}
      ensureWallet={() => ensureConnected(wallet)}
      renderApproval={(slot) => (
        <Suspense>
          <ApproveFlow {...slot} address={address} />
        </Suspense>
      )}
      renderCustody={({ onWithdrawAll }) => (
        <>
          {(agent.custody?.status ?? "closed") !== "closed" && (
            <HealthLine address={address} agentId={agent.id} />
          )}
          <OwnerLimitsCard address={address} agent={agent} />
          <CustodyPanel
            address={address}
            agent={agent}
            onWithdrawAll={onWithdrawAll}
            renderApproval={(slot) => (
              <Suspense>
                <ApproveFlow {...slot} address={address} />
              </Suspense>
            )}
          />
        </>
      )}
    />
  );
}
