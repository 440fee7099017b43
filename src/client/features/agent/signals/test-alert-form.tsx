import { Send } from "lucide-react";
import { useState } from "react";
import { previewAlert, sendTestAlert } from "../../../../contract/agent-webhook.ts";
import { WEBHOOK_BODY_LIMIT_BYTES } from "../../../../contract/fields.ts";
import type { ResponseOf } from "../../../../contract/route.ts";
import type { AgentId } from "../../../../domain/ids.ts";
import { reasonText } from "../../../../domain/reasons.ts";
import { describeProblem } from "../../../lib/problem.ts";
import { useChange } from "../../../queries/read.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Textarea } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";

interface TestAlertFormProps {
  readonly agentId: AgentId;
  readonly alertNames: readonly string[];
}

const answerText = (answer: ResponseOf<typeof sendTestAlert>): string => {
  switch (answer.status) {
    case "accepted":
      return "The agent took the alert.";
    case "duplicate":
      return "This alert had already arrived.";
    case "ignored":
      return `The agent ignored the alert: ${reasonText(answer.reason)}`;
  }
};

/** Fires one of the agent's alerts at the present time; the owner's wallet signs for this act, and no token is shown. */
export function TestAlertForm({ agentId, alertNames }: TestAlertFormProps) {
  const [picked, setPicked] = useState("");
  const test = useChange(sendTestAlert);
  const name = alertNames.includes(picked) ? picked : (alertNames[0] ?? "");
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-end gap-2">
        <Field label="Test alert" className="grow">
          <Select
            value={name}
            placeholder="Save an alert first"
            disabled={alertNames.length === 0}
            options={alertNames.map((each) => ({ value: each, label: each }))}
            onValueChange={setPicked}
          />
        </Field>
        <Button
          disabled={name === ""}
          busy={test.isPending}
          onClick={() => test.mutate({ params: { agentId }, body: { alertName: name } })}
        >
          <Send aria-hidden />
          Send test alert
        </Button>
      </div>
      <p className="text-xs text-faint">
        A test alert is a real alert: it counts, and with Auto-Trade on it can trade. Your wallet
        signs for it; your webhook&apos;s token stays hidden.
      </p>
      <details className="text-xs">
        <summary className="cursor-pointer text-muted hover:text-ink">
          Paste what you send, and see what would happen
        </summary>
        <PasteAlert agentId={agentId} />
      </details>
      {test.data && (
        <p role="status" className="text-xs text-up">
          {answerText(test.data)}
        </p>
      )}
      {test.error && (
        <p role="status" className="text-xs text-down">
          Not sent: {describeProblem(test.error).message}
        </p>
      )}
    </div>
  );
}

const TONES = {
  accepted: "text-up",
  duplicate: "text-warn",
  ignored: "text-warn",
  refused: "text-down",
} as const;

/** Says what an alert's text would do; nothing is stored or traded, and the text is not kept. */
function PasteAlert({ agentId }: { readonly agentId: AgentId }) {
  const [text, setText] = useState("");
  const preview = useChange(previewAlert);
  return (
    <div className="flex flex-col gap-2 pt-2">
      <Field
        label="Paste what you send"
        hint="The message of your alert, as it is sent. Nothing is counted or traded."
      >
        <Textarea
          className="font-mono text-xs"
          rows={3}
          spellCheck={false}
          maxLength={WEBHOOK_BODY_LIMIT_BYTES}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            preview.reset();
          }}
        />
      </Field>
      <Button
        size="small"
        className="self-start"
        disabled={text === ""}
        busy={preview.isPending}
        onClick={() => preview.mutate({ params: { agentId }, body: { text } })}
      >
        What would happen?
      </Button>
      {preview.data && (
        <p role="status" className={`text-xs wrap-anywhere ${TONES[preview.data.outcome]}`}>
          {preview.data.outcome === "refused" && "It would be refused: "}
          {preview.data.words}
        </p>
      )}
      {preview.error && (
        <p role="status" className="text-xs text-down">
          {describeProblem(preview.error).message}
        </p>
      )}
    </div>
  );
}
