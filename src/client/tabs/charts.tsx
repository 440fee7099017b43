import { ChartPanel } from "../features/chart/chart-panel.tsx";
import { random } from "../lib/random.ts";
import { changeTabState, useTabState } from "./tab-state.ts";
import type { TabProps } from "./tab-props.ts";

const TAB_ID = "charts";

export default function ChartsTab({ address, chatId, agent, network }: TabProps) {
  const state = useTabState(TAB_ID);
  return (
    <ChartPanel
      address={address}
      chatId={chatId}
      agent={agent}
      network={network}
      settings={state}
      onSettings={(change) => changeTabState(TAB_ID, change)}
      random={random}
    />
  );
}
