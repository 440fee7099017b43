import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Agent } from "../../queries/agent.ts";
import { VENUE_PROFILES } from "../../../venues/profiles.ts";
import { balancesQuery } from "../../queries/balances.ts";
import { positionQuery } from "../../queries/positions.ts";
import { toastDone, toastFault, toastProblem } from "../../lib/toast.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Field } from "../../ui/field.tsx";
import { Figure } from "../../ui/figure.tsx";
import { NetworkBadge } from "../../ui/network-badge.tsx";
import { NumberText } from "../../ui/number-text.tsx";
import { checkDeposit, checkWithdrawal } from "./amount-check.ts";
import type { ApprovalSlot, RenderApproval } from "./approval-slot.ts";
import { CloseByOwner } from "./close-by-owner.tsx";
import { useQuote } from "./use-quote.ts";
import { WithdrawBlockedDialog } from "./withdraw-blocked-dialog.tsx";

export interface ManageFundsProps {
  readonly address: string;
  readonly agent: Agent;
  readonly renderApproval: RenderApproval;
  /** Says whether the wallet can be asked, connecting again when it went away. */
  readonly ensureWallet: () => Promise<boolean>;
  /** Opens the dialog of the first deposit. */
  readonly onFirstDeposit: () => void;
  /** Asks whether Auto-Trade shall be turned off. */
  readonly onStop: () => void;
  /** Takes up a deletion that was left half done. */
  readonly onContinueDeletion: () => void;
  /** What is shown below the form: who can move what, with the way to withdraw all. */
  readonly renderCustody: (actions: { readonly onWithdrawAll: (() => void) | null }) => ReactNode;
}

type Asked = Pick<ApprovalSlot, "intent" | "amount">;

const NO_WALLET = {
  deposit: { title: "cannot deposit", message: "please reconnect your wallet" },
  withdraw: { title: "Cannot withdraw", message: "Wallet or connection not available" },
} as const;

const DONE = {
  deposit: "Deposit successful",
  withdraw: "Withdrawal successful",
  "close-positions": "Positions closed",
  "move-assets": "Moved to your wallet",
} as const;

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
  const { agent, onFirstDeposit, onContinueDeletion, renderCustody } = props;
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
                  <Button tone="primary" onClick={onContinueDeletion}>
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
        ) : agent.isFunded ? (
          <FundsForm {...props} />
        ) : (
          <>
            <NoAccount agent={agent} onFirstDeposit={onFirstDeposit} />
            {renderCustody({ onWithdrawAll: null })}
          </>
        )}
      </div>
    </div>
  );
}

/** As high as what it says, so that the panel below it is on screen too. */
function AbovePanel({ children }: { readonly children: ReactNode }) {
  return <div className="shrink-0">{children}</div>;
}

/** Before the first deposit; a set-up that paused between its transactions is taken up again. */
function NoAccount({ agent, onFirstDeposit }: Pick<ManageFundsProps, "agent" | "onFirstDeposit">) {
  const { custody } = agent;
  const isPaused = custody?.status === "active" && !custody.isDelegated;
  if (!isPaused) {
    return (
      <EmptyState
        title="No Trading Account Found"
        action={
          <Button tone="primary" onClick={onFirstDeposit}>
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
          <Button tone="primary" onClick={onFirstDeposit}>
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

function FundsForm(props: ManageFundsProps) {
  const { address, agent, renderApproval, ensureWallet, renderCustody } = props;
  const quote = useQuote(agent);
  const balance = useQuery(balancesQuery(address, agent.network)).data?.quote ?? null;
  const position = useQuery(positionQuery(address, agent.id)).data;
  const [amount, setAmount] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isBlocked, setBlocked] = useState(false);
  const maximum = position?.available ? (position.withdrawable ?? null) : null;
  const holdings = position?.available ? position.portfolioValue : null;

  const isOpen = position?.available === true && position.position !== "0";

  const begin = async (intent: "deposit" | "withdraw", amount: string) => {
    if (intent === "withdraw" && agent.autoTrade !== "off") {
      setBlocked(true);
      return;
    }
    const checked =
      intent === "deposit"
        ? checkDeposit(amount, balance, quote)
        : checkWithdrawal(amount, maximum, quote);
    if (checked.kind === "refused") {
      setError(checked.message);
      toastFault(checked);
      return;
    }
    setError(null);
    if (await ensureWallet()) setAsked({ intent, amount });
    else toastProblem(NO_WALLET[intent]);
  };

  const hasWithdrawable = maximum !== null && /[1-9]/.test(maximum);
  const withdrawAll = () => void begin("withdraw", maximum ?? "");
  return (
    <div className="flex flex-col gap-4">
      <Card className="mx-auto flex w-full max-w-[640px] flex-col gap-4">
        <p className="text-sm text-muted">
          Current Holdings:{" "}
          <Figure value={holdings} unit=" USD" className="text-lg font-semibold text-ink" />
        </p>
        <Field
          label={`${quote.symbol} amount`}
          error={error}
          hint={
            maximum === null
              ? "The venue could not be read; the maximum is not known now."
              : `You can withdraw up to ${maximum} ${quote.symbol}`
          }
          aside={
            <>
              In your wallet <Figure value={balance} unit={` ${quote.symbol}`} />
            </>
          }
        >
          <NumberText
            value={amount}
            onValueChange={(text) => {
              setAmount(text);
              setError(null);
            }}
            maxDecimals={quote.decimals}
            unit={quote.symbol}
            onMax={
              agent.autoTrade !== "off" || maximum === null
                ? balance === null
                  ? undefined
                  : () => setAmount(balance)
                : () => setAmount(maximum)
            }
          />
        </Field>
        <div className="flex gap-2">
          <Button tone="primary" className="grow" onClick={() => void begin("deposit", amount)}>
            Deposit
          </Button>
          <Button className="grow" onClick={() => void begin("withdraw", amount)}>
            Withdraw
          </Button>
        </div>
        {isOpen && agent.autoTrade !== "on" && (
          <CloseByOwner
            isStopping={agent.autoTrade === "stopping"}
            onClose={() => setAsked({ intent: "close-positions", amount: null })}
          />
        )}
        <WithdrawBlockedDialog
          open={isBlocked}
          onClose={() => setBlocked(false)}
          onStop={props.onStop}
        />
        {asked !== null &&
          renderApproval({
            agent,
            ...asked,
            onMoveInstead: () => setAsked({ intent: "move-assets", amount: null }),
            onClose: () => setAsked(null),
            onDone: () => {
              toastDone({ title: DONE[asked.intent] });
              setAsked(null);
              setAmount("");
            },
          })}
      </Card>
      {renderCustody({ onWithdrawAll: hasWithdrawable ? withdrawAll : null })}
    </div>
  );
}
