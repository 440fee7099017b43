import { Suspense } from "react";
import { TradeLog } from "../features/trading/trade-log/trade-log.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import type { TabProps } from "./tab-props.ts";
import { assetOf } from "../../venues/profiles.ts";

const AgentsNextDecision = lazyPart(() => import("./next-decision.tsx"));

export default function TradeLogTab(props: TabProps) {
  const { chatId, network, agent, onShowDecision, onShowOnChart } = props;
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <div className="min-h-0 grow">
        <TradeLog
          chatId={chatId}
          network={network}
          onShowDecision={onShowDecision}
          agentId={agent?.id ?? ""}
          asset={agent ? assetOf(agent.marketId) : undefined}
        />
      </div>
      {agent && (
        <div className="max-h-1/2 shrink-0 overflow-y-auto border-t p-2 empty:hidden">
          <Suspense>
            <AgentsNextDecision agent={agent} onShowOnChart={onShowOnChart} />
          </Suspense>
        </div>
      )}
    </div>
  );
}
