import { clsx } from "clsx";
import { useState } from "react";
import type { Agent } from "../../../../contract/agent.ts";
import { toastDone, toastError } from "../../../lib/toast.ts";
import {
  savePrompts as savePromptsRoute,
  setHypothesisStatus,
} from "../../../../contract/agents.ts";
import { useAgentChange } from "../../../queries/read.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Switch } from "../../../ui/switch.tsx";
import { Textarea } from "../../../ui/input.tsx";

export interface HypothesisDialogProps {
  readonly agent: Agent;
  readonly onClose: () => void;
}

/** Maximum topic length the server stores, in characters. */
const MAX_PROMPT = 10_000;

/** Dialog of the AI's topics for buys and sells of this agent, with the on/off switch. */
export default function HypothesisDialog({ agent, onClose }: HypothesisDialogProps) {
  const [side, setSide] = useState<"buy" | "sell">("buy");
  const [prompts, setPrompts] = useState({
    buy: agent.buyReportPrompt,
    sell: agent.sellReportPrompt,
  });
  const [isWriting, setWriting] = useState(agent.writesHypotheses);
  const savePrompts = useAgentChange(savePromptsRoute);
  const saveWriting = useAgentChange(setHypothesisStatus);
  const isBusy = savePrompts.isPending || saveWriting.isPending;
  const save = async () => {
    const params = { agentId: agent.id };
    try {
      await savePrompts.mutateAsync({
        params,
        body: { agent: { buyReportPrompt: prompts.buy, sellReportPrompt: prompts.sell } },
      });
      if (isWriting !== agent.writesHypotheses) {
        await saveWriting.mutateAsync({
          params,
          body: { hypothesisStatus: isWriting ? "on" : "off" },
        });
      }
      toastDone({ title: "Agentic-Trade saved" });
      onClose();
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <Dialog
      keepOpenOutside
      onClose={onClose}
      title="When my DeFi Agent Executes a..."
      footer={
        <>
          <div className="mr-auto">
            <Switch
              label={`Auto-Hypothesis ${isWriting ? "ON" : "OFF"}`}
              checked={isWriting}
              onCheckedChange={setWriting}
            />
          </div>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" busy={isBusy} onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div role="group" aria-label="Kind of trade" className="flex gap-2">
          {(["buy", "sell"] as const).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={side === each}
              onClick={() => setSide(each)}
              className={clsx(
                "tint h-8 grow rounded-md border text-sm font-medium",
                side === each
                  ? "border-accent-text bg-accent-soft text-accent-text"
                  : "border-line-strong text-muted hover:text-ink",
              )}
            >
              {each === "buy" ? "Buy" : "Sell"}
            </button>
          ))}
        </div>
        <Field
          label={`Topic for each ${side}`}
          hint="Left empty, the AI is asked why the decision was made."
        >
          <Textarea
            rows={6}
            maxLength={MAX_PROMPT}
            placeholder="Produce a deep-hypothesis about..."
            value={prompts[side]}
            onChange={(event) => setPrompts({ ...prompts, [side]: event.target.value })}
          />
        </Field>
      </div>
    </Dialog>
  );
}
