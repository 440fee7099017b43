import { TradeLog } from "../features/trading/trade-log/trade-log.tsx";
import type { TabProps } from "./tab-props.ts";
import { assetOf } from "../../venues/profiles.ts";

export default function TradeLogTab({ chatId, network, agent, onShowDecision }: TabProps) {
  return (
    <TradeLog
      chatId={chatId}
      network={network}
      onShowDecision={onShowDecision}
      asset={agent ? assetOf(agent.marketId) : undefined}
    />
  );
}
