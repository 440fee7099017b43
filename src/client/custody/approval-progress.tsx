import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { CopyButton } from "../ui/copy-button.tsx";
import { Spinner } from "../ui/spinner.tsx";
import type { ApprovalPhase } from "./approval-phase.ts";

const PROGRESS_TEXT = {
  sent: "Sent. Waiting for the chain.",
  confirming: "Confirming on chain.",
  pending: "Pending - checking the chain",
} as const;

interface SignatureLineProps {
  readonly signature: string | undefined;
  /** Returns a transaction's explorer address; null when the network has no explorer. */
  readonly explorerUrl: ((signature: string) => string) | null;
}

function SignatureLine({ signature, explorerUrl }: SignatureLineProps) {
  if (signature === undefined) return null;
  return (
    <p className="flex items-center gap-1.5 text-xs text-muted">
      Signature
      <code className="min-w-0 truncate font-mono text-2xs text-ink">{signature}</code>
      <CopyButton text={signature} label="Copy signature" />
      {explorerUrl !== null && (
        <a
          href={explorerUrl(signature)}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-6 items-center gap-1 text-accent-text hover:underline"
        >
          Explorer
          <ExternalLink aria-hidden className="size-3" />
        </a>
      )}
    </p>
  );
}

interface ApprovalProgressProps {
  readonly phase: Exclude<ApprovalPhase, { kind: "review" | "renewing" | "wallet" }>;
  /** Title and reason of a failed approval; null while it has not failed. */
  readonly stopped: { readonly title: string; readonly message: string } | null;
  readonly explorerUrl: SignatureLineProps["explorerUrl"];
}

/** Shows the current step, whether money has moved, and what to do next. */
export function ApprovalProgress(props: ApprovalProgressProps) {
  const { phase, stopped, explorerUrl } = props;
  const box = (children: ReactNode, role: "status" | "alert" = "status") => (
    <div role={role} className="flex flex-col gap-2 text-sm">
      {children}
    </div>
  );
  switch (phase.kind) {
    case "preparing":
      return box(
        <>
          <Spinner
            label={
              phase.waitsFor === undefined
                ? "Preparing and checking the transaction..."
                : "Waiting for the exchange."
            }
          />
          {phase.waitsFor !== undefined && <p className="text-xs text-muted">{phase.waitsFor}</p>}
        </>,
      );
    case "following":
      return box(
        <>
          <Spinner label={PROGRESS_TEXT[phase.progress]} />
          {phase.progress === "pending" && (
            <p className="text-xs text-muted">
              Sent, not yet confirmed. Do not repeat; we keep checking.
            </p>
          )}
          <SignatureLine signature={phase.transaction.signature} explorerUrl={explorerUrl} />
        </>,
      );
    case "unreported":
      return box(
        <>
          <Spinner label="Sent by your wallet. Telling the server..." />
          <p className="text-xs text-muted">
            The server has not heard of it yet. Do not repeat; we keep trying.
          </p>
          <SignatureLine signature={phase.signature} explorerUrl={explorerUrl} />
        </>,
      );
    case "blocked":
      return box(
        <>
          <p className="font-medium text-down">
            Blocked before your wallet: the transaction is not what you asked for.
          </p>
          <p>{phase.reason}</p>
          <p className="text-xs text-muted">Nothing was signed and nothing was sent.</p>
        </>,
        "alert",
      );
    case "stopped":
      return box(
        <>
          <p className="font-medium text-down">{stopped?.title}</p>
          <p>{stopped?.message}</p>
          <SignatureLine signature={phase.transaction?.signature} explorerUrl={explorerUrl} />
        </>,
        "alert",
      );
    case "done":
      return box(
        <>
          <p className="font-medium text-up">Confirmed</p>
          <SignatureLine signature={phase.transaction?.signature} explorerUrl={explorerUrl} />
        </>,
      );
  }
}
