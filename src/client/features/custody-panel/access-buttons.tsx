import type { Agent } from "../../queries/agent.ts";
import type { CustodyAccess } from "../../queries/custody.ts";
import { Button } from "../../ui/button.tsx";
import type { RequestedAccess } from "./requested-access.ts";
import type { LimitChange } from "./limit-dialog.tsx";

interface AccessButtonsProps {
  readonly agent: Agent;
  readonly access: CustodyAccess;
  /** True when the trading key has a limit for the quote token. */
  readonly hasQuoteLimit: boolean;
  readonly onAsk: (intent: RequestedAccess["intent"]) => void;
  readonly onRevoke: () => void;
  readonly onSize: (change: LimitChange) => void;
  readonly onWithdrawAll: (() => void) | null;
}

/** Buttons by which the owner changes custody access; hidden when they would change nothing. */
export function AccessButtons(props: AccessButtonsProps) {
  const { agent, access, hasQuoteLimit, onAsk, onRevoke, onSize, onWithdrawAll } = props;
  const canTrade = access.tradingKeyState === "ours" || access.tradingKeyState === "foreign";
  const limits = access.limits ?? [];
  const isAssetMissing =
    limits.length > 0 && !limits.some(({ symbol }) => symbol === agent.marketId);
  return (
    <div className="flex flex-wrap gap-2">
      {canTrade && (
        <Button tone="caution" onClick={onRevoke}>
          Revoke the trading key
        </Button>
      )}
      {access.tradingKeyState === "pending" && (
        <Button tone="primary" onClick={() => onAsk("set-up")}>
          Continue the set-up
        </Button>
      )}
      {access.tradingKeyState === "none" && agent.custody?.status !== "closed" && (
        <Button onClick={() => onAsk("set-up")}>Give the trading key back</Button>
      )}
      {hasQuoteLimit && (
        <>
          <Button onClick={() => onSize("lower")}>Lower the daily limit</Button>
          <Button onClick={() => onSize("raise")}>Raise the daily limit</Button>
        </>
      )}
      {isAssetMissing && (
        <Button tone="primary" onClick={() => onAsk("update-limits")}>
          Update the limits to {agent.marketId}
        </Button>
      )}
      {onWithdrawAll !== null && <Button onClick={onWithdrawAll}>Withdraw all</Button>}
    </div>
  );
}
