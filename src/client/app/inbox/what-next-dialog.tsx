import { openAgentDialog, openDialog } from "../../lib/dialogs.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import type { InboxItem } from "./inbox-words.ts";

interface WhatNextDialogProps {
  readonly item: InboxItem;
  readonly onClose: () => void;
}

/** What an owner can set after a trade: limits, where to be told, and the position's plan. */
export default function WhatNextDialog({ item, onClose }: WhatNextDialogProps) {
  const { chatId } = item;
  const steps = [
    {
      label: "Set limits",
      text: "How much the agent may lose, and how often it may trade in a day.",
      run: () => openAgentDialog({ chatId, section: "set-up" }),
    },
    {
      label: "Be told",
      text: "Of trades and stops in this browser when it is closed, by e-mail or by webhook.",
      run: () => openDialog({ kind: "notices" }),
    },
    {
      label: "Plan the exit",
      text: "A stop, targets and a time for the position, beside the rules that close it.",
      run: () => openAgentDialog({ chatId, section: "rules" }),
    },
  ];
  return (
    <Dialog title="What next" onClose={onClose}>
      <ul className="flex flex-col gap-2">
        {steps.map(({ label, text, run }) => (
          <li key={label} className="flex items-center justify-between gap-4">
            <p className="min-w-0 text-sm text-muted">{text}</p>
            <Button
              onClick={() => {
                onClose();
                run();
              }}
            >
              {label}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
