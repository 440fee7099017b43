import { StrategyCode } from "../features/agent/code/strategy-code.tsx";
import { openAgentDialog } from "../lib/dialogs.ts";
import type { TabProps } from "./tab-props.ts";

export default function CodeTab({ chatId, agent }: TabProps) {
  return (
    <StrategyCode
      key={agent?.id}
      agent={agent}
      onImport={(file) => openAgentDialog({ chatId }, { kind: "file", file })}
    />
  );
}
