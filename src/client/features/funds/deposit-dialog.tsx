import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Agent } from "../../queries/agent.ts";
import { VENUE_PROFILES } from "../../../venues/profiles.ts";
import { Approve, preloadApproval } from "../../custody/approve.tsx";
import { balancesQuery } from "../../queries/balances.ts";
import { custodyQuery } from "../../queries/custody.ts";
import { transactionQuery } from "../../queries/transactions.ts";
import { toastFault, toastProblem } from "../../lib/toast.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Figure } from "../../ui/figure.tsx";
import { NetworkBadge } from "../../ui/network-badge.tsx";
import { NumberText } from "../../ui/number-text.tsx";
import { ensureConnected } from "../../wallet/ensure-connected.ts";
import { wallet } from "../../wallet/wallet.ts";
import { balanceAfter, checkDeposit } from "./amount-check.ts";
import { useQuote } from "./use-quote.ts";

export interface DepositDialogProps {
  readonly address: string;
  readonly agent: Agent;
  readonly onClose: () => void;
}

/** Asks for an amount, then hands over to the approval. A deposit that was already sent is followed instead. */
export default function DepositDialog(props: DepositDialogProps) {
  const { address, agent, onClose } = props;
  const quote = useQuote(agent);
  const balances = useQuery(balancesQuery(address, agent.network)).data;
  const custody = useQuery(custodyQuery(address, agent.id)).data;
  const open = useQuery(transactionQuery(address, custody?.openTransactionId ?? "")).data;
  const [amount, setAmount] = useState("");
  const [isApproving, setApproving] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const balance = balances?.quote ?? null;
  const resumed = open?.intent === "deposit" && open.state === "sent" ? open : null;

  useEffect(preloadApproval, []);

  if (isApproving || resumed !== null) {
    return (
      <Approve
        address={address}
        agent={agent}
        intent="deposit"
        amount={isApproving ? amount : (resumed?.amount ?? amount)}
        told={{ title: "Deposit successful" }}
        onClose={() => (isApproving ? setApproving(false) : onClose())}
        onDone={onClose}
      />
    );
  }
  const submit = async () => {
    const checked = checkDeposit(amount, balance, quote);
    if (checked.kind === "refused") {
      setError(checked.message);
      toastFault(checked);
    } else if (await ensureConnected(wallet)) setApproving(true);
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
      open
      onOpenChange={(next) => !next && onClose()}
      size="small"
      title="Deposit"
      description={`${agent.name} on ${VENUE_PROFILES[agent.venue].label}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" onClick={() => void submit()}>
            {after === null ? "Deposit" : `Deposit ${amount} ${quote.symbol}`}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field
          label={`${quote.symbol} amount`}
          error={error}
          aside={<NetworkBadge network={agent.network} />}
        >
          <NumberText
            data-first-field
            value={amount}
            onValueChange={(text) => {
              setAmount(text);
              setError(null);
            }}
            maxDecimals={quote.decimals}
            unit={quote.symbol}
            onMax={balance === null ? undefined : () => setAmount(balance)}
          />
        </Field>
        <dl className="flex flex-col gap-1 text-xs text-muted">
          <div className="flex justify-between">
            <dt>In your wallet</dt>
            <dd>
              <Figure value={balance} unit={` ${quote.symbol}`} />
            </dd>
          </div>
          <div className="flex justify-between">
            <dt>After the deposit</dt>
            <dd>
              <Figure value={after} unit={` ${quote.symbol}`} />
            </dd>
          </div>
        </dl>
        <p className="text-xs text-faint">
          The money goes to this agent's vault, which only your wallet can empty. Auto-Trade is
          turned on after the first deposit.
        </p>
      </form>
    </Dialog>
  );
}
