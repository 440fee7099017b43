import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  type AiChoice,
  DEFAULT_CHOICE,
  DEFAULT_MODEL,
  findAddressFault,
  readAiChoice,
  writeAiChoice,
} from "../../lib/ai/ai-settings.ts";
import { toastDone } from "../../lib/toast.ts";
import { deploymentQuery } from "../../queries/deployment.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";

const API_OPTIONS: readonly { readonly value: AiChoice["api"]; readonly label: string }[] = [
  { value: "chat", label: "Chat Completions: web search, reads where the model takes them" },
  { value: "responses", label: "Responses: web search and reads on demand" },
  { value: "chat-tools", label: "Chat Completions with reads, no web search" },
];

/** Settings of the AI provider: any OpenAI-compatible one that this deployment's content policy allows. */
export function AiSettingsForm() {
  const [choice, setChoice] = useState(readAiChoice);
  const allowed = useQuery(deploymentQuery).data?.aiOrigins;
  const address = choice.baseUrl.trim();
  const fault = allowed === undefined ? null : findAddressFault(address, allowed);
  const model = choice.currentModel.trim();

  function save(next: AiChoice): void {
    writeAiChoice(next);
    setChoice(next);
    toastDone({ title: "AI settings saved" });
  }

  return (
    <details className="rounded-md border px-3 py-2">
      <summary className="cursor-pointer text-xs font-medium text-muted">
        Provider and model
      </summary>
      <form
        className="flex flex-col gap-3 pt-3 pb-1"
        onSubmit={(event) => {
          event.preventDefault();
          if (fault === null && model !== "") {
            save({ ...choice, baseUrl: address, currentModel: model });
          }
        }}
      >
        <Field label="Base address" error={fault}>
          <Input
            inputMode="url"
            spellCheck={false}
            value={choice.baseUrl}
            onChange={(event) => setChoice({ ...choice, baseUrl: event.target.value })}
          />
        </Field>
        <Field
          label="Model"
          hint={`“${DEFAULT_MODEL}” takes a model of OpenAI's that fits the kind of API.`}
        >
          <Input
            spellCheck={false}
            value={choice.currentModel}
            onChange={(event) => setChoice({ ...choice, currentModel: event.target.value })}
          />
        </Field>
        <Field label="Kind of API">
          <Select
            value={choice.api}
            groups={[{ options: API_OPTIONS }]}
            onValueChange={(api) => setChoice({ ...choice, api: api as AiChoice["api"] })}
          />
        </Field>
        <div className="flex justify-end gap-2">
          <Button size="small" onClick={() => save(DEFAULT_CHOICE)}>
            Use defaults
          </Button>
          <Button
            size="small"
            type="submit"
            disabled={fault !== null || allowed === undefined || model === ""}
          >
            Save settings
          </Button>
        </div>
      </form>
    </details>
  );
}
