import { useLocation } from "wouter";
import { ActionButton } from "../actions/action-button.tsx";
import { exportFigures } from "../actions/export-figures.ts";
import type { ChatId } from "../../domain/ids.ts";
import { isBuiltIn } from "../../domain/network.ts";
import { OnRequest } from "../features/results/on-request.tsx";
import { PerformanceView } from "../features/results/performance/performance-view.tsx";
import { useIsSignedOut } from "../lib/session.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import type { TabProps } from "./tab-props.ts";
import { searchOf } from "./tab-state.ts";

const ReadinessCard = lazyPart(() => import("../features/results/readiness/readiness-card.tsx"));
const ShadowCard = lazyPart(() => import("../features/results/readiness/shadow-card.tsx"));

export default function PerformanceTab({ agent }: TabProps) {
  const [, navigate] = useLocation();
  if (useIsSignedOut()) {
    return <EmptyState title="Sign in to see what an agent did with its money" />;
  }
  if (agent === null) {
    return (
      <EmptyState title="No agent selected">
        Select a chat with an agent to see what it did with its money.
      </EmptyState>
    );
  }
  const onOpen = (chatId: ChatId) => navigate(`/chat/${chatId}${searchOf("performance")}`);
  return (
    <PerformanceView
      key={agent.id}
      agent={agent}
      actions={<ActionButton size="small" action={exportFigures} />}
    >
      {isBuiltIn(agent.network) ? (
        <OnRequest
          title="Readiness for real money"
          note="How long it has lived, what it earned, how far it parted from its simulation, and whether that is more than luck."
          action="Check"
        >
          <ReadinessCard agent={agent} onOpen={onOpen} />
        </OnRequest>
      ) : (
        <OnRequest
          title="Shadow"
          note="How far it parts from its simulation, and from the agent with play money that it was made from."
          action="Check"
        >
          <ShadowCard agent={agent} onOpen={onOpen} />
        </OnRequest>
      )}
    </PerformanceView>
  );
}
