import { useQuery } from "@tanstack/react-query";
import type { Agent } from "../../queries/agent.ts";
import { hypothesesQuery } from "../../queries/hypotheses.ts";
import { tradeLogQuery } from "../../queries/trade-log.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { explainedTrades, unexplainedTrades } from "./explained-trades.ts";
import { HypothesisCards } from "./hypothesis-cards.tsx";

interface BacktestProps {
  readonly address: string;
  readonly chatId: string;
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
  const { address, chatId, agent, onOpenHypothesis, onShowDecision } = props;
  const hasAccount = agent?.isFunded === true;
  const log = useQuery({ ...tradeLogQuery(address, chatId), enabled: hasAccount });
  const hypotheses = useQuery({ ...hypothesesQuery(address, chatId), enabled: hasAccount });
  if (address === "") {
    return <EmptyState title="Please connect your wallet to view backtesting results" />;
  }
  const none = { agent, onOpenHypothesis };
  if (!hasAccount) return <NoHypotheses {...none} tradeCount={0} />;
  if (log.isError || hypotheses.isError) {
    const retry = () => void Promise.all([log.refetch(), hypotheses.refetch()]);
    return (
      <EmptyState
        title="The hypotheses could not be loaded"
        action={<Button onClick={retry}>Retry</Button>}
      />
    );
  }
  if (log.data === undefined || hypotheses.data === undefined) {
    return (
      <div className="flex h-full items-center justify-center text-sm text-muted">
        <Spinner label="Analyzing your trades..." />
      </div>
    );
  }
  const trades = explainedTrades(log.data, hypotheses.data);
  if (trades.length === 0) {
    return (
      <NoHypotheses {...none} tradeCount={unexplainedTrades(log.data, hypotheses.data).length} />
    );
  }
  return (
    <div className="h-full overflow-y-auto p-4">
      <HypothesisCards trades={trades} onShowDecision={onShowDecision} />
    </div>
  );
}
