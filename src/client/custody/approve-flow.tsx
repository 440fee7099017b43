import { type Custody, getCustody } from "../../contract/custody.ts";
import { useRead, markStale } from "../queries/read.ts";
import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { deploymentQuery, explorerLink } from "../queries/deployment.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { Stepper, type Step } from "../ui/stepper.tsx";
import { ApprovalButtons } from "./approval-buttons.tsx";
import type {
  ApprovalPhase,
  PreparedTransaction,
  RequestedApproval,
  StoppedPhase,
  TransactionSummary,
} from "./approval-phase.ts";
import { ApprovalProgress } from "./approval-progress.tsx";
import { VENUE_WARNINGS } from "../../venues/warnings.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import { stopWords } from "./stop-words.ts";
import { isBuiltIn } from "../../domain/network.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { CustodyIntent } from "../../domain/custody-intent.ts";
import { type ReactNode, useMemo, useEffect, useEffectEvent } from "react";
import { formatDecimal } from "../../domain/amount.ts";
import { NetworkBadge } from "../ui/badge.tsx";
import { type ApprovalGate, ApprovalWord, solText, useApprovalGate } from "./worth.tsx";
import { EffectLines, FullAddress } from "./effect-lines.tsx";
import { WALLET_NAMES } from "../wallet/wallet-state.ts";
import { type ApprovalWallet, pagePorts } from "./page-ports.ts";
import { useStore } from "zustand";
import { createApproval, type Approval } from "./create-approval.ts";
import type { Agent } from "../../contract/agent.ts";
import type { Effect } from "../../venues/effect.ts";
import { type ToastText, toastDone, toastFault } from "../lib/toast.ts";
import { useOwner, type SignedInWallet } from "../lib/session.ts";
import { live } from "../lib/live.ts";
import { useMedia } from "../lib/use-media.ts";
import { wallet, useWallet } from "../wallet/wallet.ts";

/** Intent the owner is asked to approve, and the caller's callbacks. */
export interface ApproveProps {
  readonly agent: Agent;
  readonly intent: CustodyIntent;
  /** Whole quote units as typed; absent for intents without an amount. */
  readonly amount?: string | null | undefined;
  /** Asset to move; absent when all are moved or the intent moves none. */
  readonly asset?: string | undefined;
  /** Toast shown after the last confirmation; absent shows none. */
  readonly told?: ToastText | undefined;
  /** Called to move the unsold assets instead; absent when that is not offered. */
  readonly onMoveInstead?: (() => void) | undefined;
  /** Opens the wallet without a click here, beside the checked transaction; only where play money moves and both fit. */
  readonly opensWallet?: boolean;
  readonly onClose: () => void;
  /** All transactions of the intent are confirmed with the expected effect. */
  readonly onDone?: (() => void) | undefined;
}

/** Runs the approval of every transaction of one intent: review, check in this browser, signature, confirmation. */
export default function ApproveFlow(props: ApproveProps) {
  const custody = useRead(getCustody, { params: { agentId: props.agent.id } }, { staleTime: 0 });
  if (custody.data === undefined) {
    return (
      <Dialog
        onClose={props.onClose}
        title={titleOf(props)}
        footer={
          <>
            <Button onClick={props.onClose}>Close</Button>
            {custody.isError && <Button onClick={() => void custody.refetch()}>Try again</Button>}
          </>
        }
      >
        {custody.isError ? (
          <p role="alert">The custody of this agent could not be read. Nothing was sent.</p>
        ) : (
          <Spinner label="Reading the chain..." />
        )}
      </Dialog>
    );
  }
  return <ApprovalDialog {...props} custody={custody.data} />;
}

type AskingPhase = Extract<ApprovalPhase, { readonly kind: "renewing" | "wallet" }>;

/** Returns whether the wallet is asked; what it is asked for stays in sight. */
const isAsking = (phase: ApprovalPhase): phase is AskingPhase =>
  phase.kind === "renewing" || phase.kind === "wallet";

const NO_EFFECTS: readonly Effect[] = [];

/** Where the practice wallet's window leaves this dialog uncovered; elsewhere the facts are read before it opens. */
const BESIDE = "(min-width: 1280px)";

function ApprovalDialog(props: ApproveProps & { readonly custody: Custody }) {
  const address = useOwner();
  const { agent, intent, custody, onClose } = props;
  const wallet = useApprovalWallet();
  const client = useQueryClient();
  const deployment = useQuery(deploymentQuery).data;
  const isVaultReady = custody.steps[0]?.state === "done";
  const wordsOf = (stopped: StoppedPhase) =>
    stopWords({ intent, venue: agent.venue, isVaultReady }, stopped);
  const { approval, phase } = useApproval(
    {
      intent,
      agentId: agent.id,
      venue: agent.venue,
      wallet: address,
      market: agent.marketId,
      leverage: agent.leverage,
      asset: props.asset ?? null,
      amount: props.amount ?? null,
    },
    wallet,
    custody.openTransactionId,
    {
      client,
      address,
      agentId: agent.id,
      told: props.told,
      wordsOf,
      onDone: () => props.onDone?.(),
    },
  );
  const reviewed = "summary" in phase ? phase.summary : null;
  const gate = useApprovalGate(reviewed?.effects ?? NO_EFFECTS, agent.network, reviewed?.unvouched);
  const needsLook =
    phase.kind !== "review" || gate.isRefused || gate.doubts.length > 0 || phase.note !== undefined;
  const isBeside = useMedia(BESIDE);
  const opensItself =
    props.opensWallet === true && isBuiltIn(agent.network) && isBeside && !needsLook;
  useEffect(() => {
    if (opensItself) void approval.approve();
  }, [opensItself, approval]);
  return (
    <Dialog
      keepOpenOutside
      onClose={onClose}
      title={titleOf(props)}
      description={stepSentence(phase, wallet.name)}
      footer={
        <ApprovalButtons
          approval={approval}
          phase={phase}
          walletName={wallet.name}
          isRefused={gate.isRefused}
          network={agent.network}
          onMoveInstead={props.onMoveInstead}
          onClose={onClose}
        />
      }
    >
      <div className="flex flex-col gap-5">
        {intent === "set-up" && (
          <Stepper label="Set-up steps" steps={approvalSteps(custody.steps, phase)} />
        )}
        {phase.kind === "review" || isAsking(phase) ? (
          <ReviewPanel
            prepared={phase.prepared}
            summary={phase.summary}
            note={phase.kind === "review" ? phase.note : undefined}
            stolenKey={VENUE_WARNINGS[agent.venue].stolenKey}
            gate={gate}
          />
        ) : (
          <ApprovalProgress
            phase={phase}
            stopped={phase.kind === "stopped" ? wordsOf(phase) : null}
            explorerUrl={explorerLink(deployment, agent.network)}
          />
        )}
      </div>
    </Dialog>
  );
}

/** Returns the set-up's steps for the stepper: state on chain, combined with the current phase. */
function approvalSteps(steps: Custody["steps"], phase: ApprovalPhase): readonly Step[] {
  const hasStopped = phase.kind === "stopped" || phase.kind === "blocked";
  const next = steps.findIndex((step) => step.state === "todo");
  const hasOpen = steps.some((step) => step.state === "open");
  const isCurrent = (index: number): boolean =>
    steps[index]?.state === "open" || (!hasOpen && index === next);
  return steps.map(({ label, state }, index) => ({
    label: `${index + 1}/${steps.length} ${label}`,
    state:
      phase.kind === "done" || state === "done"
        ? "done"
        : !isCurrent(index)
          ? "todo"
          : hasStopped
            ? "failed"
            : phase.kind === "review"
              ? "next"
              : "active",
  }));
}

/** Returns the sentence under the title: the current transaction and what the user has to do. */
function stepSentence(phase: ApprovalPhase, walletName: string): string | undefined {
  const counted = ({ step, stepCount }: { readonly step: number; readonly stepCount: number }) =>
    `Transaction ${step} of ${stepCount}.`;
  switch (phase.kind) {
    case "review":
      return `${counted(phase.prepared)} Approve in ${walletName}.`;
    case "renewing":
      return counted(phase.prepared);
    case "wallet":
      return `${counted(phase.prepared)} Waiting for you in ${walletName}.`;
    case "following":
      return counted(phase.transaction);
    default:
      return undefined;
  }
}

const TITLES: Readonly<Record<CustodyIntent, string>> = {
  "set-up": "Set up custody",
  deposit: "Deposit",
  withdraw: "Withdraw",
  "close-positions": "Close positions",
  "move-assets": "Move to your wallet",
  "update-limits": "Update spending limits",
  revoke: "Revoke the trading key",
  delete: "Delete agent",
};

/** Perpetuals have no spending limits: what is updated there is the leverage of orders. */
const titleOf = ({ intent, agent }: Pick<ApproveProps, "intent" | "agent">): string =>
  intent === "update-limits" && !VENUE_PROFILES[agent.venue].hasSpendingLimits
    ? `Allow leverage ${agent.leverage ?? 1}`
    : TITLES[intent];

interface ReviewPanelProps {
  readonly prepared: PreparedTransaction;
  readonly summary: TransactionSummary;
  /** What somebody who steals the trading key can do at the agent's venue. */
  readonly stolenKey: string;
  readonly note: string | undefined;
  readonly gate: ApprovalGate;
}

function unrecoverableSentence({ unrecoverable }: PreparedTransaction["costs"]): string {
  const parts = unrecoverable.map(
    ({ what, lamports }) => `${formatDecimal(BigInt(lamports), 9)} SOL (${what.toLowerCase()})`,
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
function ReviewPanel(props: ReviewPanelProps) {
  const { prepared, summary, stolenKey, note, gate } = props;
  const { costs, network, vault, multisig } = prepared;
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
            <Fact label="Rent for new accounts">
              {formatDecimal(BigInt(costs.rentLamports), 9)} SOL
            </Fact>
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
      <ApprovalWord gate={gate} />
    </div>
  );
}

/** The connected wallet as an approval uses it. */
function useApprovalWallet(): ApprovalWallet {
  const type = useWallet((state) => state.type);
  return useMemo(
    () => ({
      name: type === null ? "your wallet" : WALLET_NAMES[type],
      transactionVersions: wallet.transactionVersions,
      signTransaction: wallet.signTransaction,
      signAndSendTransaction: wallet.signAndSendTransaction,
    }),
    [type],
  );
}

/** Runs one approval while mounted; mounting again resumes a sent transaction. */
function useApproval(
  asked: RequestedApproval,
  wallet: ApprovalWallet,
  openTransactionId: string | null,
  follower: ApprovalFollower,
) {
  // Depends on the request's fields, so that a parent's render does not create a new approval
  const { intent, agentId, venue, wallet: owner, market, leverage, asset, amount } = asked;
  const approval = useMemo(
    () =>
      createApproval(
        intent,
        pagePorts(
          { intent, agentId, venue, wallet: owner, market, leverage, asset, amount },
          wallet,
        ),
      ),
    // oxlint-disable-next-line react/exhaustive-deps
    [intent, agentId, venue, owner, market, leverage, asset, amount],
  );
  const currentFollower = useEffectEvent(() => follower);
  useEffect(() => {
    const stopFollowing = followApproval(approval, () => currentFollower());
    approval.enter();
    void approval.start(openTransactionId);
    return () => {
      approval.leave();
      stopFollowing();
    };
    // oxlint-disable-next-line react/exhaustive-deps
  }, [approval]);
  return { approval, phase: useStore(approval.phase) };
}

/** Owner and options of one approval. */
interface ApprovalFollower {
  readonly client: QueryClient;
  readonly address: SignedInWallet;
  readonly agentId: AgentId;
  /** Toast shown after the last confirmation; absent shows none. */
  readonly told?: ToastText | undefined;
  wordsOf(stopped: StoppedPhase): ToastText;
  onDone(): void;
}

function refresh({ client, address, agentId }: ApprovalFollower): void {
  void markStale(client, address, [{ topic: "custody", id: agentId }]);
}

/**
 * Connects an approval's phases with their effects: refetching and toasts. `current` returns the present follower.
 * Returns a function that disconnects them.
 */
export const followApproval = (
  { phase }: Pick<Approval, "phase">,
  current: () => ApprovalFollower,
): (() => void) =>
  phase.subscribe((next, last) => {
    const follower = current();
    // Also shown as a toast, because the dialog may be closed before it is read
    if (next.kind === "stopped") toastFault(follower.wordsOf(next));
    if (next.kind === last.kind) return;
    // Push reports intermediate steps; without it the page has to refetch
    const isStep = next.kind === "review" || next.kind === "following";
    if (isStep && !live.getState().isConnected) refresh(follower);
    if (next.kind !== "done") return;
    refresh(follower);
    if (follower.told !== undefined) toastDone(follower.told);
    follower.onDone();
  });
