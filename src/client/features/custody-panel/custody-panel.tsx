import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Agent } from "../../queries/agent.ts";
import { VENUE_PROFILES, assetOf } from "../../../venues/profiles.ts";
import { VENUE_WARNINGS } from "../../../venues/warnings.ts";
import { describeProblem } from "../../lib/problem.ts";
import { Approve } from "../../custody/approve.tsx";
import { type CustodyAccess, custodyAccessQuery } from "../../queries/custody.ts";
import { positionQuery } from "../../queries/positions.ts";
import { deploymentQuery } from "../../queries/deployment.ts";
import { explorerAddressLink } from "../../queries/explorer.ts";
import { Card } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { AssetList } from "./asset-list.tsx";
import { AccessButtons } from "./access-buttons.tsx";
import type { RequestedAccess } from "./requested-access.ts";
import { type LimitChange, LimitDialog } from "./limit-dialog.tsx";
import { LimitList } from "./limit-list.tsx";
import { NoticeList } from "./notice-list.tsx";
import { PowerList } from "./power-list.tsx";
import { RevokeDialog } from "./revoke-dialog.tsx";
import type { SignedInWallet } from "../../lib/session.ts";

export interface CustodyPanelProps {
  readonly address: SignedInWallet;
  readonly agent: Agent;
  /** Withdraws all withdrawable funds to the owner's wallet; null without a trading account. */
  readonly onWithdrawAll: (() => void) | null;
}

/** Panel of an agent's custody: keys, accounts, unrecoverable costs and the owner's actions. */
export function CustodyPanel(props: CustodyPanelProps) {
  const { address, agent } = props;
  const read = useQuery(custodyAccessQuery(address, agent.id));
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

const DONE = {
  revoke: {
    title: "Trading key revoked",
    message: "Auto-Trade is off. Nobody but you can trade.",
  },
  "set-up": { title: "The trading key may trade" },
  "update-limits": { title: "Spending Limits Updated" },
  "close-positions": { title: "Positions closed" },
  "move-assets": { title: "Moved to your wallet" },
} as const;

/** Returns the open position with its unit; null when none or unknown. */
function useOpenPosition(address: SignedInWallet, { id, marketId }: Agent): string | null {
  const position = useQuery(positionQuery(address, id)).data;
  if (position?.available !== true || /^-?0*\.?0*$/.test(position.position)) return null;
  return `${position.position.replace("-", "")} ${assetOf(marketId)}`;
}

function Access({
  address,
  agent,
  access,
  onWithdrawAll,
}: CustodyPanelProps & { readonly access: CustodyAccess }) {
  const deployment = useQuery(deploymentQuery).data;
  const [asked, setAsked] = useState<RequestedAccess | null>(null);
  const [isRevoking, setRevoking] = useState(false);
  const openPosition = useOpenPosition(address, agent);
  const [sizing, setSizing] = useState<LimitChange | null>(null);
  const ask = (intent: RequestedAccess["intent"], amount: string | null = null): void =>
    setAsked({ intent, amount });
  const limits = access.limits ?? [];
  const quoteLimit = limits.find(({ symbol }) => symbol === access.quoteSymbol);
  return (
    <>
      <NoticeList notices={access.notices} />
      <PowerList
        access={access}
        isSpot={VENUE_PROFILES[agent.venue].kind === "spot"}
        stolenKey={VENUE_WARNINGS[agent.venue].stolenKey}
        explorer={explorerAddressLink(deployment, agent.network)}
      />
      <AssetList
        assets={access.assets ?? []}
        isTrading={agent.autoTrade !== "off"}
        onMove={(asset) => setAsked({ intent: "move-assets", amount: null, asset })}
      />
      <LimitList
        limits={limits}
        tradingKey={access.tradingKey}
        network={agent.network}
        quoteSymbol={access.quoteSymbol}
      />
      <AccessButtons
        agent={agent}
        access={access}
        hasQuoteLimit={quoteLimit !== undefined}
        onAsk={ask}
        onRevoke={() => (openPosition === null ? ask("revoke") : setRevoking(true))}
        onSize={setSizing}
        onWithdrawAll={onWithdrawAll}
      />
      {isRevoking && asked === null && openPosition !== null && (
        <RevokeDialog
          position={openPosition}
          onCancel={() => setRevoking(false)}
          onRevoke={() => {
            setRevoking(false);
            ask("revoke");
          }}
          onCloseFirst={() => ask("close-positions")}
        />
      )}
      {sizing !== null && quoteLimit !== undefined && (
        <LimitDialog
          change={sizing}
          limit={quoteLimit}
          onClose={() => setSizing(null)}
          onAsk={(amount) => {
            setSizing(null);
            ask("update-limits", amount);
          }}
        />
      )}
      {asked !== null && (
        <Approve
          address={address}
          agent={agent}
          {...asked}
          told={DONE[asked.intent]}
          onMoveInstead={() => ask("move-assets")}
          onClose={() => {
            setRevoking(false);
            setAsked(null);
          }}
          onDone={() => {
            setRevoking(false);
            if (isRevoking) ask("revoke");
            else setAsked(null);
          }}
        />
      )}
    </>
  );
}
