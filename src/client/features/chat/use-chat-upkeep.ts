import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { session, useOwner } from "../../lib/session.ts";
import { forgetDrafts } from "./drafts.ts";
import { adoptAnswers } from "./assistant/finish-answer.ts";
import { stopAllAnswers } from "./assistant/live-answers.ts";
import { deliverWaiting } from "./outbox.ts";

// Answers and drafts of the previous wallet must not be visible to the next
session.subscribe((now, before) => {
  if (now.address === before.address) return;
  stopAllAnswers();
  if (before.address !== "") forgetDrafts();
});

/** Sends unsent messages and finishes abandoned answers at sign-in and after reconnecting. */
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
