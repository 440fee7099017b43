import { HealthCard } from "../features/trading/health-card.tsx";
import { CustodyPanel } from "../features/funds/custody-panel.tsx";
import { ManageFunds } from "../features/funds/manage-funds.tsx";
import { OwnerLimitsCard } from "../features/account/owner-limits-card.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import type { TabProps } from "./tab-props.ts";

export default function ManageFundsTab({ agent }: TabProps) {
  // The tab is there without an agent only while the chats are read
  if (agent === null) return <Skeleton className="m-4 h-40" />;
  return (
    <ManageFunds
      key={agent.id}
      agent={agent}
      renderCustody={({ onWithdrawAll }) => (
        <>
          {(agent.custody?.status ?? "closed") !== "closed" && <HealthCard agent={agent} />}
          <OwnerLimitsCard agent={agent} />
          <CustodyPanel agent={agent} onWithdrawAll={onWithdrawAll} />
        </>
      )}
    />
  );
}
