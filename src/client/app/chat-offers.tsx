import { ChartCandlestick, FlaskConical, KeyRound, LayoutTemplate, ScrollText } from "lucide-react";
import { useActionContext } from "../actions/action-context.ts";
import { openAgentDialog, openDialog } from "../lib/dialogs.ts";
import { showTab } from "../tabs/open-tabs.ts";
import { Button } from "../ui/button.tsx";

/** Four things that work without a model's key, and the way to set one. */
export default function ChatOffers() {
  const { agent, chatId } = useActionContext();
  const offers = [
    {
      Icon: LayoutTemplate,
      label: agent ? "Change the agent's rules" : "Create an agent from a starter",
      run: () => openAgentDialog({ chatId, section: "rules" }),
    },
    { Icon: FlaskConical, label: "Try rules on the past", run: () => showTab("simulation") },
    { Icon: ChartCandlestick, label: "Read the chart", run: () => showTab("charts") },
    {
      Icon: ScrollText,
      label: "See why it traded",
      run: () => showTab("causal-factor-graphs"),
    },
  ];
  return (
    <div className="flex max-w-72 flex-col gap-2">
      <p className="text-xs text-muted">
        “What did you trade today?” is answered without a key, other questions need that of an AI
        provider. These work too:
      </p>
      <ul aria-label="Without a key" className="flex flex-col gap-1.5">
        {offers.map(({ Icon, label, run }) => (
          <li key={label}>
            <Button wide onClick={run}>
              <Icon aria-hidden />
              {label}
            </Button>
          </li>
        ))}
      </ul>
      <Button tone="ghost" size="small" onClick={() => openDialog({ kind: "api-key" })}>
        <KeyRound aria-hidden />
        Set a key
      </Button>
    </div>
  );
}
