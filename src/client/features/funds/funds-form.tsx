import type { ReactNode } from "react";
import { Approve } from "../../custody/approve.tsx";
import { groupThousands } from "../../lib/format.ts";
import type { Agent } from "../../queries/agent.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Field } from "../../ui/field.tsx";
import { Figure } from "../../ui/figure.tsx";
import { NumberText } from "../../ui/number-text.tsx";
import { StaleNote } from "../../ui/stale-note.tsx";
import { CloseByOwner } from "./close-by-owner.tsx";
import { useFunds } from "./use-funds.ts";
import { WithdrawBlockedDialog } from "./withdraw-blocked-dialog.tsx";
import type { SignedInWallet } from "../../lib/session.ts";

const DONE = {
  deposit: "Deposit successful",
  withdraw: "Withdrawal successful",
  "close-positions": "Positions closed",
  "move-assets": "Moved to your wallet",
} as const;

interface FundsFormProps {
  readonly address: SignedInWallet;
  readonly agent: Agent;
  readonly onStop: () => void;
  readonly renderCustody: (actions: { readonly onWithdrawAll: (() => void) | null }) => ReactNode;
}

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
function AskedApproval({
  address,
  agent,
  funds,
}: FundsProps & { readonly address: SignedInWallet }) {
  const { asked, ask, setAmount } = funds;
  if (asked === null) return null;
  return (
    <Approve
      address={address}
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
export function FundsForm({ address, agent, onStop, renderCustody }: FundsFormProps) {
  const funds = useFunds(address, agent);
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
          <Button tone="primary" className="grow" onClick={() => void begin("deposit", amount)}>
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
        <WithdrawBlockedDialog open={funds.isBlocked} onClose={funds.unblock} onStop={onStop} />
        <AskedApproval address={address} agent={agent} funds={funds} />
      </Card>
      {renderCustody({ onWithdrawAll: hasWithdrawable ? withdrawAll : null })}
    </div>
  );
}
