import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Agent } from "../../../contract/agent.ts";
import { describeProblem } from "../../lib/problem.ts";
import { toastDone } from "../../lib/toast.ts";
import { type CustodyAccess, custodyAccessQuery } from "../../queries/custody.ts";
import { deploymentQuery } from "../../queries/deployment.ts";
import { explorerAddressLink } from "../../queries/explorer.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { AccessApproval, RenderAccessApproval } from "./approval-slot.ts";
import { NoticeList } from "./notice-list.tsx";
import { PowerList } from "./power-list.tsx";

export interface CustodyPanelProps {
  readonly address: string;
  readonly agent: Agent;
  readonly renderApproval: RenderAccessApproval;
  /** Brings everything that may leave now to the owner's wallet; null without a trading account. */
  readonly onWithdrawAll: (() => void) | null;
}

/** Who can move what of one agent, what never comes back, and the owner's ways to change it. */
export function CustodyPanel(props: CustodyPanelProps) {
  const { address, agent } = props;
  const read = useQuery(custodyAccessQuery(address, agent.botId));
  if (read.data === null) return null;
  return (
    <Card
      aria-label="Who can move what"
      className="mx-auto flex w-full max-w-[640px] flex-col gap-4"
    >
      <h3 className="text-sm font-semibold">Who can move what</h3>
      {read.data === undefined ? (
        read.isError ? (
          <p role="alert" className="text-sm">
            Custody could not be read. {describeProblem(read.error).message}
          </p>
        ) : (
          <Skeleton className="h-40" />
        )
      ) : (
        <Access {...props} access={read.data} />
      )}
    </Card>
  );
}

function Access({
  agent,
  access,
  renderApproval,
  onWithdrawAll,
}: CustodyPanelProps & { readonly access: CustodyAccess }) {
  const deployment = useQuery(deploymentQuery).data;
  const [asked, setAsked] = useState<AccessApproval["intent"] | null>(null);
  const canTrade = access.delegateState === "ours" || access.delegateState === "foreign";
  return (
    <>
      <PowerList access={access} explorer={explorerAddressLink(deployment, agent.network)} />
      <NoticeList notices={access.notices} />
      <div className="flex flex-wrap gap-2">
        {canTrade && (
          <Button tone="danger" onClick={() => setAsked("revoke")}>
            Revoke the trading key
          </Button>
        )}
        {access.delegateState === "none" && agent.squadsMultisig?.status === "active" && (
          <Button onClick={() => setAsked("set-up")}>Give the trading key back</Button>
        )}
        {onWithdrawAll !== null && <Button onClick={onWithdrawAll}>Withdraw all</Button>}
      </div>
      {asked !== null &&
        renderApproval({
          agent,
          intent: asked,
          amount: null,
          onClose: () => setAsked(null),
          onDone: () => {
            toastDone({
              title: asked === "revoke" ? "Trading key revoked" : "Trading key given back",
              ...(asked === "revoke" && {
                message: "Auto-Trade is off. Nobody but you can trade.",
              }),
            });
            setAsked(null);
          },
        })}
    </>
  );
}
