import { type ReactNode, useRef, useState } from "react";
import type { Agent } from "../../../contract/agent.ts";
import { VENUE_PROFILES } from "../../../venues/profiles.ts";
import { openDepositDialog, openDialog, openAbove } from "../../lib/dialogs.ts";
import { Badge, NetworkBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { getPosition } from "../../../contract/trade.ts";
import { getBalances } from "../../../contract/wallet.ts";
import { useRead } from "../../queries/read.ts";
import { Approve } from "../../custody/approve.tsx";
import { groupThousands } from "../../lib/format.ts";
import { Card } from "../../ui/card.tsx";
import { Field } from "../../ui/field.tsx";
import { Figure } from "../../ui/figure.tsx";
import { NumberText } from "../../ui/number-text.tsx";
import { StaleNote } from "../../ui/not-loaded.tsx";
import { useTakenFocus } from "../../lib/use-released-focus.ts";
import { useOwner } from "../../lib/session.ts";
import { toastFault, toastProblem } from "../../lib/toast.ts";
import { ensureConnected } from "../../wallet/ensure-connected.ts";
import { checkDeposit, checkWithdrawal, useQuote } from "./amount-check.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { wallet } from "../../wallet/wallet.ts";

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
  const hasAccount = agent.subAccountId !== undefined;
  const [hadAccount] = useState(hasAccount);
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
        ) : hasAccount ? (
          <FundsForm {...props} takesFocus={!hadAccount} />
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

const DONE = {
  deposit: "Deposit successful",
  withdraw: "Withdrawal successful",
  "close-positions": "Positions closed",
  "move-assets": "Moved to your wallet",
} as const;

interface FundsProps {
  readonly agent: Agent;
  readonly funds: ReturnType<typeof useFunds>;
}

function withdrawalHint({ isReading, maximum }: FundsProps["funds"]["holdings"], symbol: string) {
  if (isReading) return "Reading how much you can withdraw…";
  if (maximum === null) return "The venue could not be read; the maximum is not known now.";
  return `You can withdraw up to ${groupThousands(maximum)} ${symbol}`;
}

function AmountField({ agent, funds }: FundsProps) {
  const { quote, holdings, amount, error, setAmount } = funds;
  const { balance, maximum } = holdings;
  const isStale = holdings.staleSince !== null;
  const most = agent.autoTrade !== "off" || maximum === null ? balance : maximum;
  return (
    <Field
      label={`${quote.symbol} amount`}
      error={error}
      hint={withdrawalHint(holdings, quote.symbol)}
      aside={
        <>
          In your wallet <Figure value={balance} unit={` ${quote.symbol}`} stale={isStale} />
        </>
      }
    >
      <NumberText
        value={amount}
        onValueChange={funds.type}
        maxDecimals={quote.decimals}
        unit={quote.symbol}
        onMax={most === null ? undefined : () => setAmount(most)}
      />
    </Field>
  );
}

/** Approval requested by the form, while it is open. */
function AskedApproval({ agent, funds }: FundsProps) {
  const { asked, ask, setAmount } = funds;
  if (asked === null) return null;
  return (
    <Approve
      agent={agent}
      {...asked}
      told={{ title: DONE[asked.intent] }}
      onMoveInstead={() => ask({ intent: "move-assets", amount: null })}
      onClose={() => ask(null)}
      onDone={() => {
        ask(null);
        setAmount("");
      }}
    />
  );
}

/** Form for deposits into and withdrawals from a funded agent. */
export function FundsForm({
  agent,
  renderCustody,
  takesFocus = false,
}: ManageFundsProps & { readonly takesFocus?: boolean }) {
  const funds = useFunds(agent);
  const next = useRef<HTMLButtonElement>(null);
  // The first deposit takes the button that asked for it away
  useTakenFocus(takesFocus, agent.id, () => next.current);
  const { amount, begin, holdings } = funds;
  const { maximum, staleSince } = holdings;
  const hasWithdrawable = maximum !== null && /[1-9]/.test(maximum);
  const withdrawAll = () => void begin("withdraw", maximum ?? "");
  return (
    <div className="flex flex-col gap-4">
      <Card className="mx-auto flex w-full max-w-[640px] flex-col gap-4">
        {staleSince !== null && <StaleNote readAt={staleSince} />}
        <p className="text-sm text-muted">
          Current Holdings:{" "}
          <Figure
            value={holdings.worth}
            unit=" USD"
            stale={staleSince !== null}
            className="text-lg font-semibold text-ink"
          />
        </p>
        <AmountField agent={agent} funds={funds} />
        <div className="flex gap-2">
          <Button
            ref={next}
            tone="primary"
            className="grow"
            onClick={() => void begin("deposit", amount)}
          >
            Deposit
          </Button>
          <Button className="grow" onClick={() => void begin("withdraw", amount)}>
            Withdraw
          </Button>
        </div>
        {holdings.hasPosition && agent.autoTrade !== "on" && (
          <CloseByOwner
            isStopping={agent.autoTrade === "stopping"}
            onClose={() => funds.ask({ intent: "close-positions", amount: null })}
          />
        )}
        <WithdrawBlockedDialog
          open={funds.isBlocked}
          onClose={funds.unblock}
          onStop={() => openAbove("auto-trade")}
        />
        <AskedApproval agent={agent} funds={funds} />
      </Card>
      {renderCustody({ onWithdrawAll: hasWithdrawable ? withdrawAll : null })}
    </div>
  );
}

interface CloseByOwnerProps {
  readonly isStopping: boolean;
  readonly onClose: () => void;
}

/** Offers to close the open position with one signature of the owner's wallet. */
function CloseByOwner({ isStopping, onClose }: CloseByOwnerProps) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-warn-soft px-3 py-2 text-xs text-warn"
    >
      <span>
        {isStopping
          ? "A position is being closed. If that does not work, close it with your wallet."
          : "A position is still open. Close it before you withdraw everything."}
      </span>
      <Button size="small" onClick={onClose}>
        Close positions
      </Button>
    </div>
  );
}

/** Movement of funds the owner is asked to approve. */
interface RequestedTransfer {
  readonly intent: "deposit" | "withdraw" | "close-positions" | "move-assets";
  /** Whole quote units as typed; null when closing positions or moving assets. */
  readonly amount: string | null;
}

const NO_WALLET = {
  deposit: { title: "cannot deposit", message: "please reconnect your wallet" },
  withdraw: { title: "Cannot withdraw", message: "Wallet or connection not available" },
} as const;

/** Returns the balances of wallet and agent as decimal text; null when unknown. */
function useHoldings(agent: Agent) {
  const address = useOwner();
  const wallet = useRead(getBalances, {
    params: { walletAddress: address },
    query: { network: agent.network },
  });
  const account = useRead(getPosition, { query: { agentId: agent.id } });
  const { data: position, isPending } = account;
  const known = position?.available === true ? position : null;
  const stale = [wallet, account].filter((read) => read.isError && read.data !== undefined);
  return {
    balance: wallet.data?.quote ?? null,
    /** Time of the oldest figure that could not be refreshed, in Unix milliseconds; null when all are current. */
    staleSince: stale.length === 0 ? null : Math.min(...stale.map((read) => read.dataUpdatedAt)),
    /** True until the agent's account was read for the first time. */
    isReading: isPending,
    /** Maximum that can be withdrawn now. */
    maximum: known?.withdrawable ?? null,
    worth: known?.portfolioValue ?? null,
    hasPosition: known !== null && known.position !== "0",
  };
}

/** Returns the state of the funds form: input, faults and the requested approval. */
function useFunds(agent: Agent) {
  const quote = useQuote(agent);
  const holdings = useHoldings(agent);
  const [amount, setAmount] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [asked, setAsked] = useState<RequestedTransfer | null>(null);
  const [isBlocked, setBlocked] = useState(false);

  const begin = async (intent: "deposit" | "withdraw", text: string): Promise<void> => {
    if (intent === "withdraw" && agent.autoTrade !== "off") {
      setBlocked(true);
      return;
    }
    const checked =
      intent === "deposit"
        ? checkDeposit(text, holdings.balance, quote)
        : checkWithdrawal(text, holdings.maximum, quote);
    if (checked.kind === "refused") {
      setError(checked.message);
      toastFault(checked);
      return;
    }
    setError(null);
    if (await ensureConnected(wallet)) setAsked({ intent, amount: text });
    else toastProblem(NO_WALLET[intent]);
  };

  return {
    quote,
    holdings,
    amount,
    error,
    asked,
    isBlocked,
    begin,
    ask: setAsked,
    unblock: () => setBlocked(false),
    type(text: string) {
      setAmount(text);
      setError(null);
    },
    setAmount,
  };
}

interface WithdrawBlockedDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Opens the confirmation for turning Auto-Trade off. */
  readonly onStop: () => void;
}

export function WithdrawBlockedDialog({ open, onClose, onStop }: WithdrawBlockedDialogProps) {
  return (
    <AlertDialog
      open={open}
      onClose={onClose}
      title="Cannot Withdraw - Agent is Active"
      actionLabel="OK, I'll Stop the Agent First"
      tone="primary"
      onAction={() => {
        onClose();
        onStop();
      }}
    >
      The agent is trading with this money. Turn Auto-Trade off first: its positions are closed,
      then you can withdraw.
    </AlertDialog>
  );
}
