import { fillAlertText } from "../features/agent/rules/alert-text.ts";
import { StrategyCode } from "../features/agent/code/strategy-code.tsx";
import type { TabProps } from "./tab-props.ts";

export default function CodeTab({ agent, onAgentFile }: TabProps) {
  return (
    <StrategyCode key={agent?.id} agent={agent} fillName={fillAlertText} onImport={onAgentFile} />
  );
}
