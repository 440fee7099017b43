import { Suspense } from "react";
import type { Chat } from "../../../../contract/chats.ts";
import { lazyPart } from "../../../ui/lazy-part.tsx";
import { useOwner } from "../../../lib/session.ts";

const HypothesisWriter = lazyPart(() => import("./hypothesis-writer.tsx"), {
  isAbove: true,
});

/** Loads the writer only when hypotheses are turned on. */
export function HypothesisWatch({ chats }: { readonly chats: readonly Chat[] | undefined }) {
  const address = useOwner();
  const agents = (chats ?? []).flatMap(({ agent }) => (agent?.writesHypotheses ? [agent] : []));
  if (address === "" || agents.length === 0) return null;
  return (
    <Suspense>
      <HypothesisWriter agents={agents} />
    </Suspense>
  );
}
