import { getPosition } from "../../../contract/trade.ts";
import { type CustodyAccess, getCustodyAccess } from "../../../contract/custody.ts";
import { useRead } from "../../queries/read.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Agent } from "../../../contract/agent.ts";
import { VENUE_PROFILES, assetOf } from "../../../venues/profiles.ts";
import { VENUE_WARNINGS } from "../../../venues/warnings.ts";
import { describeProblem } from "../../lib/problem.ts";
import { Approve } from "../../custody/approve.tsx";
import { deploymentQuery, explorerAddressLink } from "../../queries/deployment.ts";
import { Card } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LimitList, type SpendingLimit } from "./limit-list.tsx";
import { PowerList } from "./power-list.tsx";
import { Button } from "../../ui/button.tsx";
import { parseDecimal } from "../../../domain/amount.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { NumberText } from "../../ui/number-text.tsx";
import { TimeText } from "../../ui/time-text.tsx";

interface RevokeDialogProps {
  /** Open position with its unit, for instance "0.5 SOL". */
  readonly position: string;
  readonly onCloseFirst: () => void;
  readonly onRevoke: () => void;
  readonly onCancel: () => void;
}

/** Warns before revoking the trading key that an open position stays open. */
function RevokeDialog({ position, onCloseFirst, onRevoke, onCancel }: RevokeDialogProps) {
  return (
    <Dialog
      size="small"
      onClose={onCancel}
      title="A position is open"
      footer={
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onCancel}>Cancel</Button>
          <Button tone="caution" onClick={onRevoke}>
            Revoke and keep it open
          </Button>
          <Button tone="primary" onClick={onCloseFirst}>
            Close it first
          </Button>
        </div>
      }
    >
      <p className="text-sm">
        The position of {position} stays open when the trading key is revoked, with its gains and
        losses. From then on only you can close it, with your wallet.
      </p>
    </Dialog>
  );
}

export interface CustodyPanelProps {
  readonly agent: Agent;
  /** Withdraws all withdrawable funds to the owner's wallet; null without a trading account. */
  readonly onWithdrawAll: (() => void) | null;
}

/** Panel of an agent's custody: keys, accounts, unrecoverable costs and the owner's actions. */
export function CustodyPanel(props: CustodyPanelProps) {
  const { agent } = props;
  const read = useRead(getCustodyAccess, { params: { agentId: agent.id } });
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
function useOpenPosition({ id, marketId }: Agent): string | null {
  const position = useRead(getPosition, { query: { agentId: id } }).data;
  if (position?.available !== true || /^-?0*\.?0*$/.test(position.position)) return null;
  return `${position.position.replace("-", "")} ${assetOf(marketId)}`;
}

function Access({
  agent,
  access,
  onWithdrawAll,
}: CustodyPanelProps & { readonly access: CustodyAccess }) {
  const deployment = useQuery(deploymentQuery).data;
  const [asked, setAsked] = useState<RequestedAccess | null>(null);
  const [isRevoking, setRevoking] = useState(false);
  const openPosition = useOpenPosition(agent);
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
          agent={agent}
          {...asked}
          told={
            asked.intent === "update-limits" && !VENUE_PROFILES[agent.venue].hasSpendingLimits
              ? { title: "Leverage Allowed" }
              : DONE[asked.intent]
          }
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

interface AccessButtonsProps {
  readonly agent: Agent;
  readonly access: CustodyAccess;
  /** True when the trading key has a limit for the quote token. */
  readonly hasQuoteLimit: boolean;
  readonly onAsk: (intent: RequestedAccess["intent"]) => void;
  readonly onRevoke: () => void;
  readonly onSize: (change: LimitChange) => void;
  readonly onWithdrawAll: (() => void) | null;
}

/** Buttons by which the owner changes custody access; hidden when they would change nothing. */
function AccessButtons(props: AccessButtonsProps) {
  const { agent, access, hasQuoteLimit, onAsk, onRevoke, onSize, onWithdrawAll } = props;
  const canTrade = access.tradingKeyState === "ours" || access.tradingKeyState === "foreign";
  const limits = access.limits ?? [];
  const isAssetMissing =
    limits.length > 0 && !limits.some(({ symbol }) => symbol === agent.marketId);
  const { leverage = 1 } = agent;
  const { leverageAllowed: allowed = leverage } = access;
  return (
    <div className="flex flex-wrap gap-2">
      {access.tradingKeyState === "ours" && leverage !== allowed && (
        <Button
          tone={leverage > allowed ? "primary" : undefined}
          onClick={() => onAsk("update-limits")}
        >
          {leverage > allowed ? "Allow leverage" : "Lower to leverage"} {leverage}
        </Button>
      )}
      {canTrade && (
        <Button tone="caution" onClick={onRevoke}>
          Revoke the trading key
        </Button>
      )}
      {access.tradingKeyState === "pending" && (
        <Button tone="primary" onClick={() => onAsk("set-up")}>
          Continue the set-up
        </Button>
      )}
      {access.tradingKeyState === "none" && agent.custody?.status !== "closed" && (
        <Button onClick={() => onAsk("set-up")}>Give the trading key back</Button>
      )}
      {hasQuoteLimit && (
        <>
          <Button onClick={() => onSize("lower")}>Lower the daily limit</Button>
          <Button onClick={() => onSize("raise")}>Raise the daily limit</Button>
        </>
      )}
      {isAssetMissing && (
        <Button tone="primary" onClick={() => onAsk("update-limits")}>
          Update the limits to {agent.marketId}
        </Button>
      )}
      {onWithdrawAll !== null && <Button onClick={onWithdrawAll}>Withdraw all</Button>}
    </div>
  );
}

interface AssetListProps {
  readonly assets: NonNullable<CustodyAccess["assets"]>;
  /** True while the agent trades, which disables moving assets. */
  readonly isTrading: boolean;
  readonly onMove: (symbol: string) => void;
}

/** Vault assets other than SOL and the quote token, each with a button to move it to the owner's wallet. */
function AssetList({ assets, isTrading, onMove }: AssetListProps) {
  if (assets.length === 0) return null;
  return (
    <section aria-label="Assets in the vault" className="flex flex-col gap-1.5">
      <h4 className="text-xs font-semibold">Assets in the vault</h4>
      <ul className="flex flex-col gap-1.5">
        {assets.map(({ symbol, amount }) => (
          <li
            key={symbol}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-md border border-line bg-raised px-3 py-2 text-xs"
          >
            <span className="font-medium">
              {amount} {symbol}
            </span>
            {!isTrading && (
              <Button size="small" onClick={() => onMove(symbol)}>
                Move {symbol} to your wallet
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p className="text-xs text-muted">
        {isTrading
          ? "The agent trades with them. To move them to your wallet, turn Auto-Trade off first."
          : "Moving takes the asset itself out of the vault. To sell it, close the position."}
      </p>
    </section>
  );
}

type LimitChange = "lower" | "raise";

interface LimitDialogProps {
  readonly change: LimitChange;
  /** Current limit of the quote token. */
  readonly limit: SpendingLimit;
  /** Called with the daily limit in whole quote units. */
  readonly onAsk: (amount: string) => void;
  readonly onClose: () => void;
}

/** Decimals used to compare sizes; more than any quote token has. */
const PLACES = 9;

const MIN = "1";
const MAX = "1000000";

const units = (text: string): bigint => parseDecimal(text, PLACES) ?? 0n;

const WORDS = {
  lower: {
    title: "Lower the daily limit",
    wrong: "That is more than now. To allow more, raise the daily limit.",
    hint: "Both limits are replaced in one transaction; today's count starts again.",
  },
  raise: {
    title: "Raise the daily limit",
    wrong: "That is less than now. To allow less, lower the daily limit.",
    hint: "The trading key could move more in a day. Both limits are replaced in one transaction; today's count starts again.",
  },
} as const;

/** Dialog for the trading key's daily limit. */
function LimitDialog({ change, limit, onAsk, onClose }: LimitDialogProps) {
  const words = WORDS[change];
  const [amount, setAmount] = useState("");
  const [error, setError] = useState<string | null>(null);
  const { symbol } = limit;
  const submit = (): void => {
    const asked = units(amount);
    if (asked < units(MIN) || asked > units(MAX)) {
      setError(`A daily limit is from 1 to 1,000,000 ${symbol}.`);
    } else if (asked === units(limit.amount)) {
      setError("That is the limit already.");
    } else if (asked > units(limit.amount) === (change === "lower")) {
      setError(words.wrong);
    } else onAsk(amount);
  };
  return (
    <Dialog
      size="small"
      onClose={onClose}
      title={words.title}
      description={`Now ${limit.amount} ${symbol} a day, and the same worth of the asset`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" onClick={submit}>
            Continue
          </Button>
        </>
      }
    >
      <Form onSubmit={submit}>
        <Field label={`${symbol} a day`} error={error} hint={words.hint}>
          <NumberText
            data-first-field
            value={amount}
            onValueChange={(text) => {
              setAmount(text);
              setError(null);
            }}
            maxDecimals={2}
            unit={symbol}
          />
        </Field>
      </Form>
    </Dialog>
  );
}

/** List of on-chain changes not made through this product; empty without any. */
function NoticeList({ notices }: { readonly notices: CustodyAccess["notices"] }) {
  if (notices.length === 0) return null;
  return (
    <section
      aria-label="Changes from outside"
      className="flex flex-col gap-1 rounded-md bg-warn-soft px-3 py-2"
    >
      <h4 className="text-xs font-semibold text-warn">Changed outside Wheelhouse</h4>
      <ul className="flex flex-col gap-1">
        {notices.map(({ at, text }) => (
          <li key={`${at}${text}`} className="text-xs break-words">
            <TimeText at={at} as="short" className="text-muted" /> {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Requested change; `set-up` restores the trading key, `update-limits` without an amount follows the agent's asset or leverage. */
interface RequestedAccess {
  readonly intent: "revoke" | "set-up" | "update-limits" | "close-positions" | "move-assets";
  /** Daily limit in whole quote units; null keeps the size. */
  readonly amount: string | null;
  /** Asset to move. */
  readonly asset?: string;
}
