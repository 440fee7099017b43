import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toastFault, toastProblem } from "../../lib/toast.ts";
import type { Agent } from "../../queries/agent.ts";
import { balancesQuery } from "../../queries/balances.ts";
import { positionQuery } from "../../queries/positions.ts";
import { ensureConnected } from "../../wallet/ensure-connected.ts";
import { wallet } from "../../wallet/wallet.ts";
import { checkDeposit, checkWithdrawal } from "./amount-check.ts";
import { useQuote } from "./use-quote.ts";
import type { SignedInWallet } from "../../lib/session.ts";

/** Movement of funds the owner is asked to approve. */
export interface RequestedTransfer {
  readonly intent: "deposit" | "withdraw" | "close-positions" | "move-assets";
  /** Whole quote units as typed; null when closing positions or moving assets. */
  readonly amount: string | null;
}

const NO_WALLET = {
  deposit: { title: "cannot deposit", message: "please reconnect your wallet" },
  withdraw: { title: "Cannot withdraw", message: "Wallet or connection not available" },
} as const;

/** Returns the balances of wallet and agent as decimal text; null when unknown. */
export function useHoldings(address: SignedInWallet, agent: Agent) {
  const wallet = useQuery(balancesQuery(address, agent.network));
  const account = useQuery(positionQuery(address, agent.id));
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
export function useFunds(address: SignedInWallet, agent: Agent) {
  const quote = useQuote(agent);
  const holdings = useHoldings(address, agent);
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
