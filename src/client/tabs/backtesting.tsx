import { Backtest } from "../features/results/simulation/backtest.tsx";
import type { TabProps } from "./tab-props.ts";

export default function BacktestingTab({
  chatId,
  agent,
  onOpenHypothesis,
  onShowDecision,
}: TabProps) {
  return (
    <Backtest
      chatId={chatId}
      agent={agent}
      onOpenHypothesis={onOpenHypothesis}
      onShowDecision={onShowDecision}
    />
  );
}
