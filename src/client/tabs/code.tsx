import { fillAlertText } from "../features/agent/rules/alert-text.ts";
import { StrategyCode } from "../features/agent/code/strategy-code.tsx";
import type { TabProps } from "./tab-props.ts";

export default function CodeTab({ address, agent, onAgentFile }: TabProps) {
  return (
    <StrategyCode
      key={agent?.id}
      address={address}
      agent={agent}
      fillName={fillAlertText}
      onImport={onAgentFile}
    />
  );
}
