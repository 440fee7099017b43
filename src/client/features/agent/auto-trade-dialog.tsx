import type { Agent } from "../../../contract/agent.ts";
import { setTradingStatus } from "../../../contract/agents.ts";
import { useAgentChange } from "../../queries/read.ts";
import { describeProblem, isApiError } from "../../lib/problem.ts";
import { toastDone, toastNote, toastProblem } from "../../lib/toast.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { awaitStop, forgetStop, stoppedTitle } from "./stopping-agents.ts";

export interface AutoTradeDialogProps {
  /** Agent to switch; null without one. */
  readonly agent: Agent | null;
  readonly onClose: () => void;
}

/** Returns the failure text; a refusal by the server is already a complete sentence. */
function stopFailure(error: unknown): string {
  if (isApiError(error, "auto_trade_disable_failed")) return error.message;
  const reason = reasonOf(error).replace(/\.$/, "");
  return `Failed to disable auto-trade: ${reason}. Auto-trade remains on.`;
}

function reasonOf(error: unknown): string {
  if (isApiError(error, "unauthenticated") || isApiError(error, "not_found")) {
    return "Wallet not connected or agent not found. Please reconnect and try again.";
  }
  const { message } = describeProblem(error);
  return message === "" ? "Something went wrong" : message;
}

/** Confirmation before Auto-Trade changes; the switch follows the server's answer, not the click. */
export default function AutoTradeDialog({ agent, onClose }: AutoTradeDialogProps) {
  const setAutoTrade = useAgentChange(setTradingStatus);
  const turnsOn = (agent?.autoTrade ?? "off") === "off";
  const act = async () => {
    if (agent === null) {
      toastProblem({
        title: "No Agent Found",
        message: "Please create an agent first before enabling auto-trading.",
      });
      onClose();
      return;
    }
    try {
      const changed = await setAutoTrade.mutateAsync({
        params: { agentId: agent.id },
        body: { autoTrade: turnsOn ? "on" : "off" },
      });
      if (turnsOn) {
        forgetStop(agent.id);
        toastDone({ title: "Auto-Trade Enabled" });
      } else if (changed.autoTrade === "stopping") {
        awaitStop(agent.id);
        toastNote({
          title: "Stopping",
          message: "No new positions from now on. Open ones are being closed.",
        });
      } else {
        forgetStop(agent.id);
        toastDone({ title: stoppedTitle(changed) });
      }
    } catch (error) {
      toastProblem({
        title: "Error",
        message: turnsOn ? reasonOf(error) : stopFailure(error),
      });
    }
    onClose();
  };
  return (
    <AlertDialog
      onClose={onClose}
      title={turnsOn ? "Turn On Auto-Trading?" : "Turn Off Auto-Trading?"}
      actionLabel={turnsOn ? "Turn On" : "Turn Off"}
      tone={turnsOn ? "primary" : "danger"}
      busy={setAutoTrade.isPending}
      onAction={() => void act()}
    >
      {turnsOn
        ? `${agent?.name ?? "The agent"} will trade by its rules, with up to ${agent?.positionSizePercent ?? 100}% of its free collateral per entry. Counters start from 0. Your wallet shows the whole set-up and signs it.`
        : "From this click no new position is opened. Open positions are closed at the market price, then Auto-Trade is off."}
    </AlertDialog>
  );
}
