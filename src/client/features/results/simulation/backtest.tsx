import {
  type ExplainedTrade,
  getUnexplained,
  HYPOTHESES_PAGE,
  listHypotheses,
} from "../../../../contract/hypotheses.ts";
import { readPages, useRead } from "../../../queries/read.ts";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ChatId } from "../../../../domain/ids.ts";
import type { Agent } from "../../../../contract/agent.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { useOwner } from "../../../lib/session.ts";
import { Network } from "lucide-react";
import { Badge } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/card.tsx";
import { TimeText } from "../../../ui/time-text.tsx";

interface BacktestProps {
  readonly chatId: ChatId | "";
  readonly agent: Agent | null;
  /** Opens the Auto-Hypothesis settings. */
  readonly onOpenHypothesis: () => void;
  /** Opens the decision graph of a trade. */
  readonly onShowDecision: (entryId: string) => void;
}

interface NoHypothesesProps extends Pick<BacktestProps, "agent" | "onOpenHypothesis"> {
  /** Number of trades that can have a hypothesis. */
  readonly tradeCount: number;
}

function NoHypotheses({ agent, tradeCount, onOpenHypothesis }: NoHypothesesProps) {
  const title = "No trading hypotheses available";
  if (agent === null || tradeCount === 0) {
    return (
      <EmptyState title={title}>
        Start trading to generate hypotheses about your trading decisions
      </EmptyState>
    );
  }
  const trades = tradeCount === 1 ? "Your trade has none" : `Your ${tradeCount} trades have none`;
  if (agent.writesHypotheses) {
    return (
      <EmptyState title={title}>
        {trades} yet. They are written while this page is open and an API key is set.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={title}
      action={
        <Button tone="primary" onClick={onOpenHypothesis}>
          Turn on Auto-Hypothesis
        </Button>
      }
    >
      {trades}: Auto-Hypothesis is off.
    </EmptyState>
  );
}

/** List of the agent's trades with their hypotheses. */
export function Backtest(props: BacktestProps) {
  const address = useOwner();
  const { chatId, agent, onOpenHypothesis, onShowDecision } = props;
  const hasAccount = agent?.subAccountId !== undefined;
  const unexplained = useRead(getUnexplained, { params: { chatId } }, { enabled: hasAccount });
  const hypotheses = useInfiniteQuery({
    ...readPages(address, listHypotheses, { params: { chatId }, query: {} }, "before", (page) =>
      page.length < HYPOTHESES_PAGE ? null : page.at(-1)?.id,
    ),
    enabled: hasAccount && address !== "",
  });
  if (address === "") {
    return <EmptyState title="Please connect your wallet to view backtesting results" />;
  }
  const none = { agent, onOpenHypothesis };
  if (!hasAccount) return <NoHypotheses {...none} tradeCount={0} />;
  const isLost = hypotheses.isError && !hypotheses.isFetchNextPageError;
  if (unexplained.isError || isLost) {
    const retry = () => void Promise.all([unexplained.refetch(), hypotheses.refetch()]);
    return (
      <EmptyState
        title="The hypotheses could not be loaded"
        action={<Button onClick={retry}>Retry</Button>}
      />
    );
  }
  if (unexplained.data === undefined || hypotheses.data === undefined) {
    return (
      <div className="flex h-full items-center justify-center text-sm text-muted">
        <Spinner label="Analyzing your trades..." />
      </div>
    );
  }
  const trades = hypotheses.data.pages.flat();
  if (trades.length === 0) return <NoHypotheses {...none} tradeCount={unexplained.data.count} />;
  return (
    <div className="h-full overflow-y-auto p-4">
      <HypothesisCards trades={trades} onShowDecision={onShowDecision} />
      {hypotheses.hasNextPage && (
        <Button
          size="small"
          className="mt-3"
          busy={hypotheses.isFetchingNextPage}
          onClick={() => void hypotheses.fetchNextPage()}
        >
          Show older
        </Button>
      )}
    </div>
  );
}

/** Cards of trades with a hypothesis, rendered as plain text. */
function HypothesisCards({
  trades,
  onShowDecision,
}: {
  readonly trades: readonly ExplainedTrade[];
  readonly onShowDecision: (entryId: string) => void;
}) {
  return (
    <ul className="flex flex-col gap-3">
      {trades.map(({ entry, text }) => (
        <li key={entry.id}>
          <Card className="flex flex-col gap-2">
            <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
              <span className="text-sm font-semibold text-ink">{entry.market}</span>
              <Badge>{entry.side.toUpperCase()}</Badge>
              <span>Size {entry.size}</span>
              <TimeText at={entry.at} as="full" className="ml-auto" />
            </div>
            <p className="text-sm whitespace-pre-wrap">{text}</p>
            <Button
              size="small"
              tone="ghost"
              className="-mb-1 -ml-2 self-start"
              onClick={() => onShowDecision(entry.id)}
            >
              <Network aria-hidden />
              Why this trade
            </Button>
          </Card>
        </li>
      ))}
    </ul>
  );
}
