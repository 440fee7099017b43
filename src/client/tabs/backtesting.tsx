import { Backtest } from "../features/results/simulation/backtest.tsx";
import { openAbove } from "../lib/dialogs.ts";
import type { TabProps } from "./tab-props.ts";

export default function BacktestingTab({ chatId, agent, onShowDecision }: TabProps) {
  return (
    <Backtest
      chatId={chatId}
      agent={agent}
      onOpenHypothesis={() => openAbove("hypothesis")}
      onShowDecision={onShowDecision}
    />
  );
}
