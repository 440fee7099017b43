import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { Agent } from "../../contract/agent.ts";
import AgentDialog from "../features/agent-config/agent-dialog.tsx";
import { AlertList } from "../features/alerts/alert-list.tsx";
import { fillAlertText } from "../features/alerts/alert-text.ts";
import { RuleList } from "../features/rules/rule-list.tsx";
import { SignalsPanel } from "../features/signals/signals-panel.tsx";
import { agentQuery } from "../queries/agents.ts";

const ApproveFlow = lazy(() => import("../features/approve/approve-flow.tsx"));
const DepositDialog = lazy(() => import("../features/funds/deposit-dialog.tsx"));
const AutoTradeDialog = lazy(() => import("../features/auto-trade/auto-trade-dialog.tsx"));
const HypothesisDialog = lazy(() => import("../features/hypotheses/hypothesis-dialog.tsx"));

export interface AgentDialogsProps {
  readonly address: string;
  readonly chatId: string;
  /** Where to begin: configuring, setting up custody or the first deposit. */
  readonly start: "agent" | "deposit";
  /** Says whether there is a session, signing in when there is none. */
  readonly authenticate: () => Promise<boolean>;
  readonly onClose: () => void;
}

type Stage =
  | { readonly kind: "agent" }
  | { readonly kind: "set-up"; readonly agent: Agent }
  | { readonly kind: "deposit"; readonly agent: Agent };

/** Where an agent stands between being saved and holding money. */
function nextStage(agent: Agent): Stage | null {
  if (agent.number !== undefined && agent.number >= 0) return null;
  const isDelegated = agent.squadsMultisig?.venueConfig.delegated ?? false;
  return isDelegated ? { kind: "deposit", agent } : { kind: "set-up", agent };
}

/** Puts the dialogs of one agent together: configure, set up custody, deposit, one after the other. */
export default function AgentDialogs(props: AgentDialogsProps) {
  const { address, chatId, start, onClose } = props;
  const agent = useQuery(agentQuery(address, chatId)).data ?? null;
  const [stage, setStage] = useState<Stage>({ kind: "agent" });
  const [extra, setExtra] = useState<"none" | "hypothesis" | "auto-trade">("none");
  const begun: Stage | null =
    stage.kind === "agent" && start === "deposit" && agent !== null
      ? (nextStage(agent) ?? { kind: "deposit", agent })
      : stage;

  if (begun.kind === "set-up") {
    return (
      <Suspense>
        <ApproveFlow
          address={address}
          agent={begun.agent}
          intent="set-up"
          amount={null}
          onClose={onClose}
          onDone={() => setStage({ kind: "deposit", agent: begun.agent })}
        />
      </Suspense>
    );
  }
  if (begun.kind === "deposit") {
    return (
      <Suspense>
        <DepositDialog
          address={address}
          agent={begun.agent}
          onClose={onClose}
          renderApproval={(slot) => <ApproveFlow {...slot} address={address} />}
        />
      </Suspense>
    );
  }
  return (
    <>
      <AgentDialog
        address={address}
        chatId={chatId}
        authenticate={props.authenticate}
        ensureChat={() => Promise.resolve(chatId === "" ? null : chatId)}
        onOpenChange={(open) => !open && onClose()}
        onOpenHypothesis={() => setExtra("hypothesis")}
        onToggleAutoTrade={() => setExtra("auto-trade")}
        onSaved={(saved) => {
          const next = nextStage(saved);
          if (next === null) onClose();
          else setStage(next);
        }}
        parts={{
          alerts: (part) => <AlertList {...part} />,
          rules: (part) => <RuleList {...part} />,
          signals: ({ botId }) => (
            <SignalsPanel address={address} botId={botId} fillName={fillAlertText} />
          ),
        }}
      />
      {agent !== null && extra === "hypothesis" && (
        <Suspense>
          <HypothesisDialog address={address} agent={agent} onClose={() => setExtra("none")} />
        </Suspense>
      )}
      {extra === "auto-trade" && (
        <Suspense>
          <AutoTradeDialog address={address} agent={agent} onClose={() => setExtra("none")} />
        </Suspense>
      )}
    </>
  );
}
