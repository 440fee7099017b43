import { TradeLog } from "../features/trade-log/trade-log.tsx";
import type { TabProps } from "./tab-props.ts";

export default function TradeLogTab({ address, chatId, network, agent, onShowDecision }: TabProps) {
  return (
    <TradeLog
      address={address}
      chatId={chatId}
      network={network}
      onShowDecision={onShowDecision}
      asset={agent?.marketId.replace(/-PERP$/, "")}
    />
  );
}
