import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { session, useOwner } from "../../lib/session.ts";
import { forgetDrafts } from "./drafts.ts";
import { adoptAnswers } from "./finish-answer.ts";
import { stopAllAnswers } from "./live-answers.ts";
import { deliverWaiting } from "./outbox.ts";

// Nobody else may see what the wallet before was answered, or was about to ask
session.subscribe((now, before) => {
  if (now.address === before.address) return;
  stopAllAnswers();
  if (before.address !== "") forgetDrafts();
});

/** Sends what waits and finishes what was left over, at sign-in and whenever the connection is back. */
export function useChatUpkeep(): void {
  const owner = useOwner();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (owner === "") return;
    const run = () => void deliverWaiting(owner, queryClient);
    run();
    adoptAnswers(owner, queryClient);
    window.addEventListener("online", run);
    return () => window.removeEventListener("online", run);
  }, [owner, queryClient]);
}
