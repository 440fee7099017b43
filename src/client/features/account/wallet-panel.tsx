import { getBalances } from "../../../contract/wallet.ts";
import { useRead, useChange } from "../../queries/read.ts";
import { type ReactNode, useState } from "react";
import type { Network } from "../../../domain/network.ts";
import { shortenAddress, sizeDecimals } from "../../lib/format.ts";
import type { WorkspaceData } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { disconnect } from "../../actions/disconnect.ts";
import { exportFigures } from "../../actions/export-figures.ts";
import { notices } from "../../actions/notices.ts";
import { readTokens } from "../../actions/read-tokens.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Badge, NetworkBadge } from "../../ui/badge.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../ui/tabs.tsx";
import { WALLET_NAMES, type WalletType } from "../../wallet/wallet-state.ts";
import { type SignedInWallet, useOwner } from "../../lib/session.ts";
import type { ResponseOf } from "../../../contract/route.ts";
import { listUserPositions, getUserActivity } from "../../../contract/wallet-trades.ts";
import { NotLoaded } from "../../ui/not-loaded.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { assetOf, VENUE_PROFILES } from "../../../venues/profiles.ts";
import { ChevronDown } from "lucide-react";
import type { VenueId } from "../../../domain/venue-id.ts";
import { TimeText, ZoneNote } from "../../ui/time-text.tsx";
import { type ChangeOfSession, listSessions, signOutEverywhere } from "../../../contract/auth.ts";
import { listReadTokens, revokeReadToken } from "../../../contract/read-tokens.ts";
import { Button } from "../../ui/button.tsx";

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
  /** Called when every session of the wallet was ended, with what they changed. */
  readonly onSignedOut: (changes: readonly ChangeOfSession[]) => void;
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

interface WalletAssetsProps {
  readonly assets: NonNullable<ResponseOf<typeof getBalances>["assets"]>;
}

/** Returns a token's label; SOL in a token account is wrapped SOL, which cannot pay fees. */
const nameOf = (symbol: string): string => (symbol === "SOL" ? "SOL (wrapped)" : symbol);

/** List of wallet tokens that agents trade, for instance those moved out of a vault. */
export function WalletAssets({ assets }: WalletAssetsProps) {
  if (assets.length === 0) return null;
  return (
    <section aria-label="Assets in your wallet" className="px-3 pb-3">
      <h3 className="pb-1 text-2xs text-faint">Assets in your wallet</h3>
      <ul className="flex flex-col rounded-md border bg-raised">
        {assets.map(({ symbol, amount }) => (
          <li key={symbol} className="flex justify-between gap-4 px-2.5 py-1 text-sm">
            <span>{nameOf(symbol)}</span>
            <Figure value={amount} decimals={sizeDecimals(amount)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** List of open positions of the wallet's agents. */
export function PortfolioList() {
  const address = useOwner();
  const { data, isPending, isError, refetch } = useRead(listUserPositions, {
    query: { owner: address },
  });
  if (isPending) return <Skeleton className="m-3 h-10" />;
  if (isError)
    return (
      <NotLoaded onRetry={refetch} className="p-3 text-warn">
        Positions could not be loaded.
      </NotLoaded>
    );
  return (
    <>
      {data.positions.length === 0 && data.unavailable.length === 0 && (
        <p className="p-6 text-center text-xs text-muted">
          No open positions. What your agents hold shows up here.
        </p>
      )}
      <ul className="flex flex-col p-1">
        {data.positions.map((position) => (
          <li
            key={`${position.agentId}/${position.market}`}
            className="flex items-center gap-2 rounded-md px-2 py-1.5 hover:bg-hover"
          >
            <div className="min-w-0 grow">
              <p className="flex items-center gap-1.5 text-sm font-medium">
                {position.market}
                <Badge tone={position.side === "long" ? "up" : "down"}>
                  <span aria-hidden>{position.side === "long" ? "▲" : "▼"}</span>
                  {position.side === "long" ? "Long" : "Short"}
                </Badge>
              </p>
              <p className="truncate text-2xs text-faint">{position.agent}</p>
            </div>
            <div className="text-right text-xs">
              <p>
                <Figure
                  value={position.size}
                  decimals={sizeDecimals(position.size)}
                  unit={` ${assetOf(position.market)}`}
                />
              </p>
              <p>
                <Figure value={position.pnl} unit="%" toned />
              </p>
            </div>
          </li>
        ))}
      </ul>
      {data.unavailable.length > 0 && (
        <p className="px-3 pb-3 text-2xs text-warn">
          {data.unavailable.length} agent(s) could not be read just now.
        </p>
      )}
    </>
  );
}

/** Returns the direction's label; on a spot venue buy or sell, because it has no shorts. */
function directionText(venue: VenueId, direction: "long" | "short"): string {
  if (VENUE_PROFILES[venue].kind !== "spot") return direction;
  return direction === "long" ? "buy" : "sell";
}

/** List of the wallet's agents with their filled orders. */
export function ActivityList({ explorerOf }: Pick<WorkspaceData, "explorerOf">) {
  const address = useOwner();
  const { data, isPending, isError, refetch } = useRead(getUserActivity, {
    query: { owner: address },
  });
  if (isPending) return <Skeleton className="m-3 h-10" />;
  if (isError)
    return (
      <NotLoaded onRetry={refetch} className="p-3 text-warn">
        Activity could not be loaded.
      </NotLoaded>
    );
  if (data.length === 0) {
    return <p className="p-6 text-center text-xs text-muted">No agents yet.</p>;
  }
  return (
    <>
      <ul className="flex flex-col p-1">
        {data.map((agent) => (
          <li key={agent.id}>
            <details className="group rounded-md open:bg-raised">
              <summary className="tint flex min-h-9 cursor-pointer list-none items-center gap-2 rounded-md px-2 hover:bg-hover">
                <span className="min-w-0 grow truncate text-sm font-medium">{agent.name}</span>
                <span className="text-2xs text-faint">{VENUE_PROFILES[agent.venue].label}</span>
                <ChevronDown
                  aria-hidden
                  className="size-3.5 text-faint transition-transform group-open:rotate-180"
                />
              </summary>
              {agent.fills.length === 0 && (
                <p className="px-2 pb-2 text-xs text-faint">No orders yet.</p>
              )}
              <ul className="flex flex-col pb-1">
                {agent.fills.map((fill) => {
                  const url = explorerOf(agent.id)?.(fill.signature);
                  return (
                    <li key={fill.signature} className="flex items-center gap-2 px-2 py-1 text-xs">
                      <span className="font-medium">{fill.market}</span>
                      <span className={fill.side === "long" ? "text-up" : "text-down"}>
                        {fill.side === "long" ? "↑" : "↓"} {directionText(agent.venue, fill.side)}
                      </span>
                      <Figure value={fill.size} decimals={4} />
                      <TimeText at={fill.at} as="short" className="ml-auto text-faint" />
                      {url ? (
                        <a
                          href={url}
                          target="_blank"
                          rel="noopener noreferrer"
                          className="font-mono text-accent-text"
                        >
                          {fill.signature.slice(0, 8)}
                        </a>
                      ) : (
                        <span className="font-mono text-faint" title={fill.signature}>
                          {fill.signature.slice(0, 8)}
                        </span>
                      )}
                    </li>
                  );
                })}
              </ul>
            </details>
          </li>
        ))}
      </ul>
      <ZoneNote className="block px-3 pb-2 text-2xs text-faint" />
    </>
  );
}

/** List of the wallet's sessions, with a button that ends all of them. */
export function SessionList({ onSignedOut }: Pick<WalletPanelProps, "onSignedOut">) {
  const { data, isPending, isError, refetch } = useRead(listSessions, {});
  const signOut = useChange(signOutEverywhere, {
    toast: { title: "Signed out everywhere" },
    onDone: ({ changes }) => onSignedOut(changes),
  });
  const [replaceTokens, setReplaceTokens] = useState(true);
  if (isPending) return <Skeleton className="m-3 h-10" />;
  if (isError)
    return (
      <NotLoaded onRetry={refetch} className="p-3 text-warn">
        Sessions could not be loaded.
      </NotLoaded>
    );
  const tokens = replaceTokens ? "replace" : "keep";
  return (
    <div className="flex flex-col gap-2 p-3">
      <ul className="flex flex-col gap-2">
        {data.map((session, index) => (
          <li key={index} className="text-xs">
            <p className="flex items-center gap-2 text-sm font-medium">
              <span className="min-w-0 truncate">{session.browser}</span>
              {session.isCurrent && <Badge tone="accent">This browser</Badge>}
            </p>
            <p className="text-faint">
              Signed in <TimeText at={session.openedAt} as="short" />, last renewed{" "}
              <TimeText at={session.lastUsedAt} as="short" />
            </p>
          </li>
        ))}
      </ul>
      <ConnectedAssistants />
      <ZoneNote className="text-2xs text-faint" />
      <label className="flex cursor-pointer items-start gap-2 text-xs">
        <input
          type="checkbox"
          className="mt-0.5 size-4 shrink-0 accent-accent"
          checked={replaceTokens}
          onChange={(event) => setReplaceTokens(event.target.checked)}
        />
        <span>
          Replace my agents' webhook tokens and end my read tokens too
          <span className="block text-2xs text-faint">
            Your wallet signs for it. Alerts in TradingView then need their new texts.
          </span>
        </span>
      </label>
      <Button
        tone="danger"
        wide
        busy={signOut.isPending}
        onClick={() => signOut.mutate({ body: { tokens } })}
      >
        Sign out everywhere
      </Button>
      <p className="text-2xs text-faint">
        Ends every session of this wallet, this one too, and every connected assistant. Agents that
        are on go on trading. What sessions and assistants changed in seven days is listed then.
      </p>
    </div>
  );
}

/** Assistants that the owner let in, each with a button that ends it. */
function ConnectedAssistants() {
  const { data = [] } = useRead(listReadTokens, {});
  const revoke = useChange(revokeReadToken, {
    toast: { title: "Assistant disconnected", message: "It is answered nothing any more." },
  });
  const connected = data.filter(({ connectedFrom }) => connectedFrom !== undefined);
  if (connected.length === 0) return null;
  return (
    <section className="flex flex-col gap-1 border-t pt-2">
      <h3 className="text-xs font-semibold text-muted">Connected assistants</h3>
      <ul className="flex flex-col gap-2">
        {connected.map(({ id, name, connectedFrom, scopes, lastUsedAt }) => (
          <li key={id} className="flex items-center gap-2 text-xs">
            <div className="min-w-0 grow">
              <p className="truncate text-sm font-medium">{name}</p>
              <p className="text-faint">
                From {connectedFrom}, may {scopes.join(", ")},{" "}
                {lastUsedAt === undefined ? (
                  "never used"
                ) : (
                  <>
                    last used <TimeText at={lastUsedAt} as="short" />
                  </>
                )}
              </p>
            </div>
            <Button
              size="small"
              tone="caution"
              aria-label={`Disconnect ${name}`}
              busy={revoke.isPending && revoke.variables?.params.id === id}
              onClick={() => revoke.mutate({ params: { id } })}
            >
              Disconnect
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
