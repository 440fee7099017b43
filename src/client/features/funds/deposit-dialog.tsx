import { getBalances } from "../../../contract/wallet.ts";
import { getCustody } from "../../../contract/custody.ts";
import { useRead } from "../../queries/read.ts";
import { useEffect, useState } from "react";
import { Approve, preloadApproval } from "../../custody/approve.tsx";
import { closeDialog } from "../../lib/dialogs.ts";
import type { Agent } from "../../../contract/agent.ts";
import { useTransaction } from "../../queries/transactions.ts";
import { useOwner } from "../../lib/session.ts";
import { VENUE_PROFILES } from "../../../venues/profiles.ts";
import { groupThousands } from "../../lib/format.ts";
import { toastFault, toastProblem } from "../../lib/toast.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Figure } from "../../ui/figure.tsx";
import { NetworkBadge } from "../../ui/badge.tsx";
import { NumberText } from "../../ui/number-text.tsx";
import { ensureConnected } from "../../wallet/ensure-connected.ts";
import { balanceAfter, checkDeposit, useQuote } from "./amount-check.ts";
import { wallet } from "../../wallet/wallet.ts";

interface DepositDialogProps {
  readonly agent: Agent;
  /** Amount that is filled in. */
  readonly proposed?: string | undefined;
}

/** Dialog that asks for an amount, then shows the approval; an already sent deposit is followed instead. */
export default function DepositDialog(props: DepositDialogProps) {
  const address = useOwner();
  const { agent } = props;
  const balances = useRead(getBalances, {
    params: { walletAddress: address },
    query: { network: agent.network },
  }).data;
  const custody = useRead(getCustody, { params: { agentId: agent.id } }).data;
  const open = useTransaction(custody?.openTransactionId ?? "").data;
  const [amount, setAmount] = useState(props.proposed ?? "");
  const [isApproving, setApproving] = useState(false);
  const resumed = open?.intent === "deposit" && open.state === "sent" ? open : null;

  useEffect(preloadApproval, []);

  if (isApproving || resumed !== null) {
    return (
      <Approve
        agent={agent}
        intent="deposit"
        opensWallet
        amount={isApproving ? amount : (resumed?.amount ?? amount)}
        told={{ title: "Deposit successful" }}
        onClose={() => (isApproving ? setApproving(false) : closeDialog())}
        onDone={closeDialog}
      />
    );
  }
  return (
    <DepositForm
      agent={agent}
      amount={amount}
      balance={balances?.quote ?? null}
      onAmount={setAmount}
      onDeposit={() => setApproving(true)}
      onClose={closeDialog}
    />
  );
}

interface DepositFormProps {
  readonly agent: Agent;
  /** Raw input. */
  readonly amount: string;
  /** Balance of the wallet; null when unknown. */
  readonly balance: string | null;
  readonly onAmount: (amount: string) => void;
  /** Called when the amount is valid and the wallet can sign. */
  readonly onDeposit: () => void;
  readonly onClose: () => void;
}

/** Shows the wallet's balance before and after the deposit. */
function Balances({
  balance,
  after,
  symbol,
}: {
  readonly balance: string | null;
  readonly after: string | null;
  readonly symbol: string;
}) {
  const rows = [
    ["In your wallet", balance],
    ["After the deposit", after],
  ] as const;
  return (
    <dl className="flex flex-col gap-1 text-xs text-muted">
      {rows.map(([label, value]) => (
        <div key={label} className="flex justify-between">
          <dt>{label}</dt>
          <dd>
            <Figure value={value} unit={` ${symbol}`} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Form for the amount of a deposit; enabled once the deposit is possible. */
function DepositForm(props: DepositFormProps) {
  const { agent, amount, balance, onAmount, onDeposit, onClose } = props;
  const quote = useQuote(agent);
  const [error, setError] = useState<string | null>(null);
  const submit = async () => {
    const checked = checkDeposit(amount, balance, quote);
    if (checked.kind === "refused") {
      setError(checked.message);
      toastFault(checked);
    } else if (await ensureConnected(wallet)) onDeposit();
    else {
      toastProblem({
        title: "Wallet Not Connected",
        message: "Please reconnect your wallet to proceed with the deposit.",
      });
    }
  };
  const after = balanceAfter(amount, balance, quote);
  return (
    <Dialog
      onClose={onClose}
      size="small"
      title="Deposit"
      description={`${agent.name} on ${VENUE_PROFILES[agent.venue].label}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" onClick={() => void submit()}>
            {after === null ? "Deposit" : `Deposit ${groupThousands(amount)} ${quote.symbol}`}
          </Button>
        </>
      }
    >
      <Form className="flex flex-col gap-4" onSubmit={submit}>
        <Field
          label={`${quote.symbol} amount`}
          error={error}
          aside={<NetworkBadge network={agent.network} />}
        >
          <NumberText
            data-first-field
            value={amount}
            onValueChange={(text) => {
              onAmount(text);
              setError(null);
            }}
            maxDecimals={quote.decimals}
            unit={quote.symbol}
            onMax={balance === null ? undefined : () => onAmount(balance)}
          />
        </Field>
        <Balances balance={balance} after={after} symbol={quote.symbol} />
        <p className="text-xs text-faint">
          The money goes to this agent's vault, which only your wallet can empty. Auto-Trade is
          turned on after the first deposit, so before it your wallet signs what the agent trades
          by.
        </p>
      </Form>
    </Dialog>
  );
}
