import { getBalances } from "../../../contract/wallet.ts";
import { useRead } from "../../queries/read.ts";
import type { ReactNode } from "react";
import type { Network } from "../../../domain/network.ts";
import { shortenAddress } from "../../lib/format.ts";
import type { WorkspaceData } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { disconnect } from "../../actions/disconnect.ts";
import { exportFigures } from "../../actions/export-figures.ts";
import { notices } from "../../actions/notices.ts";
import { readTokens } from "../../actions/read-tokens.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Figure } from "../../ui/figure.tsx";
import { NetworkBadge } from "../../ui/network-badge.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../ui/tabs.tsx";
import { WALLET_NAMES, type WalletType } from "../../wallet/wallet-state.ts";
import { ActivityList } from "./activity-list.tsx";
import { PortfolioList } from "./portfolio-list.tsx";
import { SessionList } from "./session-list.tsx";
import { WalletAssets } from "./wallet-assets.tsx";
import type { SignedInWallet } from "../../lib/session.ts";

interface WalletPanelProps extends Pick<WorkspaceData, "explorerOf"> {
  /** Connected address. */
  readonly address: string;
  readonly type: WalletType;
  /** Signed-in wallet, empty when not signed in. */
  readonly owner: SignedInWallet;
  readonly network: Network;
  /** Sign-in button or faucet. */
  readonly action: ReactNode;
  /** Called before one of its actions is performed. */
  readonly onLeave: () => void;
  /** Called when every session of the wallet was ended. */
  readonly onSignedOut: () => void;
}

/** Panel of the wallet: balances, positions, activity and sessions. */
export default function WalletPanel(props: WalletPanelProps) {
  const { address, type, owner, network } = props;
  const balances = useRead(getBalances, { params: { walletAddress: owner }, query: { network } });
  const [sol, quote] = [balances.data?.sol, balances.data?.quote];
  return (
    <div className="flex flex-col">
      <div className="flex items-center gap-2 p-3">
        <div className="min-w-0 grow">
          <p className="text-xs text-faint">{WALLET_NAMES[type]}</p>
          <p className="font-mono text-sm" title={address}>
            {shortenAddress(address)}
          </p>
        </div>
        <CopyButton text={address} label="Copy address" />
        <NetworkBadge network={network} />
      </div>
      {owner !== "" && (
        <dl className="grid grid-cols-2 gap-2 px-3 pb-3">
          {[
            ["SOL", sol, 4],
            [balances.data?.quoteSymbol ?? "USDC", quote, 2],
          ].map(([symbol, value, decimals]) => (
            <div key={symbol} className="rounded-md border bg-raised px-2.5 py-1.5">
              <dt className="text-2xs text-faint">{symbol}</dt>
              <dd className="text-base font-semibold">
                <Figure
                  value={value as string | null | undefined}
                  decimals={decimals as number}
                  stale={balances.isError}
                />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {owner !== "" && <WalletAssets assets={balances.data?.assets ?? []} />}
      {props.action && <div className="px-3 pb-3">{props.action}</div>}
      {owner !== "" && (
        <Tabs defaultValue="portfolio" className="border-t">
          <TabList className="px-2 pt-2">
            <Tab value="portfolio">Portfolio</Tab>
            <Tab value="activity">Activity</Tab>
            <Tab value="sessions">Sessions</Tab>
          </TabList>
          <TabPanel value="portfolio" className="max-h-72 overflow-y-auto">
            <PortfolioList />
          </TabPanel>
          <TabPanel value="activity" className="max-h-72 overflow-y-auto">
            <ActivityList explorerOf={props.explorerOf} />
          </TabPanel>
          <TabPanel value="sessions" className="max-h-72 overflow-y-auto">
            <SessionList onSignedOut={props.onSignedOut} />
          </TabPanel>
        </Tabs>
      )}
      <div className="border-t p-2">
        {owner !== "" && (
          <div className="grid grid-cols-3 gap-1">
            <ActionButton action={exportFigures} tone="ghost" onClick={props.onLeave} />
            <ActionButton action={readTokens} tone="ghost" onClick={props.onLeave} />
            <ActionButton action={notices} tone="ghost" onClick={props.onLeave} />
          </div>
        )}
        <ActionButton action={disconnect} tone="ghost" wide onClick={props.onLeave} />
      </div>
    </div>
  );
}
