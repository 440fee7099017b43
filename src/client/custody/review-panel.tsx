import type { ReactNode } from "react";
import { unitsToText } from "../lib/format.ts";
import { NetworkBadge } from "../ui/network-badge.tsx";
import { solText } from "./amounts.ts";
import type { PreparedTransaction } from "./approval-phase.ts";
import { EffectLines, FullAddress } from "./effect-lines.tsx";
import type { TransactionSummary } from "./transaction-summary.ts";

interface ReviewPanelProps {
  readonly prepared: PreparedTransaction;
  readonly summary: TransactionSummary;
  /** What somebody who steals the trading key can do at the agent's venue. */
  readonly stolenKey: string;
  readonly isPinned: boolean;
  readonly note: string | undefined;
}

function unrecoverableSentence({ unrecoverable }: PreparedTransaction["costs"]): string {
  const parts = unrecoverable.map(
    ({ what, lamports }) => `${unitsToText(lamports, 9)} SOL (${what.toLowerCase()})`,
  );
  return `Never recoverable: ${parts.join(", ")}. Everything else can be taken back out.`;
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-4 text-xs">
      <dt className="text-muted">{label}</dt>
      <dd className="text-right text-ink">{children}</dd>
    </div>
  );
}

/** Review of the transaction as decoded in this browser, shown before the wallet opens. */
export function ReviewPanel({ prepared, summary, stolenKey, isPinned, note }: ReviewPanelProps) {
  const { costs, network, vault, multisig } = prepared;
  const isCreation = summary.effects.some((effect) => effect.kind === "create-multisig");
  return (
    <div className="flex flex-col gap-3">
      {note && (
        <p role="status" className="rounded-md bg-warn-soft px-3 py-2 text-xs text-warn">
          {note}
        </p>
      )}
      <EffectLines
        effects={summary.effects}
        network={network}
        quoteSymbol={costs.quoteSymbol}
        quoteDecimals={costs.quoteDecimals}
        wallet={summary.feePayer}
        vault={vault}
        stolenKey={stolenKey}
      />
      <div className="rounded-md border border-line px-3 py-2">
        <dl className="flex flex-col gap-1.5">
          <Fact label="Network">
            <NetworkBadge network={network} />
          </Fact>
          <Fact label="Network fee, at most">{solText(summary.feeLamports)}</Fact>
          {costs.rentLamports !== "0" && (
            <Fact label="Rent for new accounts">{unitsToText(costs.rentLamports, 9)} SOL</Fact>
          )}
        </dl>
        <div className="mt-2.5 flex flex-col gap-1 border-t pt-2">
          <FullAddress label="Your wallet" address={summary.feePayer} />
          <FullAddress label="Multisig" address={multisig} />
          <FullAddress label="Vault" address={vault} />
        </div>
      </div>
      {costs.unrecoverable.length > 0 && (
        <p className="text-xs text-muted">{unrecoverableSentence(costs)}</p>
      )}
      {!isCreation && !isPinned && (
        <p className="text-xs text-warn">
          This browser did not see this vault being created. Compare its address with the one you
          know before you approve.
        </p>
      )}
    </div>
  );
}
