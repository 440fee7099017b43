import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Approve, preloadApproval } from "../../custody/approve.tsx";
import { closeDialog } from "../../lib/dialogs.ts";
import type { Agent } from "../../queries/agent.ts";
import { balancesQuery } from "../../queries/balances.ts";
import { custodyQuery } from "../../queries/custody.ts";
import { transactionQuery } from "../../queries/transactions.ts";
import { DepositForm } from "./deposit-form.tsx";
import type { SignedInWallet } from "../../lib/session.ts";

interface DepositDialogProps {
  readonly address: SignedInWallet;
  readonly agent: Agent;
}

/** Dialog that asks for an amount, then shows the approval; an already sent deposit is followed instead. */
export default function DepositDialog(props: DepositDialogProps) {
  const { address, agent } = props;
  const balances = useQuery(balancesQuery(address, agent.network)).data;
  const custody = useQuery(custodyQuery(address, agent.id)).data;
  const open = useQuery(transactionQuery(address, custody?.openTransactionId ?? "")).data;
  const [amount, setAmount] = useState("");
  const [isApproving, setApproving] = useState(false);
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
