import { FlaskConical } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { createPortal } from "react-dom";
import { useStore } from "zustand";
import { shortenAddress } from "../lib/format.ts";
import { Button } from "../ui/button.tsx";
import { NetworkBadge } from "../ui/badge.tsx";
import { practiceApprovals } from "../wallet/practice-approvals.ts";

const HEADINGS = {
  message: "Sign this message?",
  transaction: "Approve this transaction?",
};

const NOTES = {
  message: "Signing a message moves no money.",
  transaction: "It moves play money only, as the page has just shown you.",
};

/**
 * Approval window of the practice wallet: a native modal dialog above the page, like an extension's popup. It dims
 * nothing, so that what the page has shown stays legible beside it.
 */
export default function PracticeApproval() {
  const { request, answer } = useStore(practiceApprovals);
  const dialogRef = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    const dialog = dialogRef.current;
    if (!request || !dialog) return;
    // Stops propagation, so that a dialog below does not handle the same key
    const keep = (event: Event) => event.stopPropagation();
    dialog.addEventListener("keydown", keep);
    dialog.showModal();
    return () => {
      dialog.removeEventListener("keydown", keep);
      dialog.close();
    };
  }, [request]);

  if (!request) return null;
  return createPortal(
    <dialog
      ref={dialogRef}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        answer(false);
      }}
      className="mx-auto mt-auto mb-3 w-[360px] max-w-[calc(100vw-24px)] rounded-lg border border-practice-line bg-surface p-0 text-ink shadow-dialog backdrop:bg-transparent sm:mt-16 sm:mr-4 sm:mb-auto sm:ml-auto"
    >
      <header className="flex items-center gap-2 border-b bg-practice-soft px-4 py-3 text-practice">
        <FlaskConical aria-hidden className="size-4" />
        <h2 id={titleId} className="grow text-sm font-semibold">
          Practice wallet
        </h2>
        <NetworkBadge network={request.network ?? "practice"} />
      </header>
      <div className="flex flex-col gap-3 p-4">
        <div>
          <p className="text-base font-semibold">{HEADINGS[request.kind]}</p>
          <p className="mt-0.5 text-xs text-muted">{NOTES[request.kind]}</p>
        </div>
        <dl className="flex flex-col gap-1 rounded-md border bg-raised p-2.5 text-xs">
          <div className="flex justify-between gap-3">
            <dt className="text-faint">Page</dt>
            <dd>{location.host}</dd>
          </div>
          <div className="flex justify-between gap-3">
            <dt className="text-faint">Account</dt>
            <dd className="font-mono" title={request.address}>
              {shortenAddress(request.address)}
            </dd>
          </div>
        </dl>
        {request.message !== undefined && (
          <pre
            tabIndex={0}
            className="max-h-[min(16rem,40dvh)] overflow-auto rounded-md border bg-raised p-2.5 font-mono text-2xs wrap-anywhere whitespace-pre-wrap"
          >
            {request.message}
          </pre>
        )}
        <div className="grid grid-cols-2 gap-2">
          <Button size="large" onClick={() => answer(false)}>
            Reject
          </Button>
          <Button size="large" tone="primary" onClick={() => answer(true)}>
            Approve
          </Button>
        </div>
      </div>
    </dialog>,
    document.body,
  );
}
