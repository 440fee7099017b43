import { ExternalLink } from "lucide-react";
import { useId, useState } from "react";
import { useStore } from "zustand";
import { forgetAiKey, isKeyOfTab, readAiKey, saveAiKey } from "../../lib/ai/ai-key.ts";
import {
  AI_PRESETS,
  aiChoice,
  hostOf,
  type AiChoice,
  DEFAULT_CHOICE,
  DEFAULT_MODEL,
  findAddressFault,
  presetOf,
  readAiChoice,
  writeAiChoice,
  settingsOf,
  headersOf,
} from "../../lib/ai/ai-settings.ts";
import { toastDone } from "../../lib/toast.ts";
import { closeDialog } from "../../lib/dialogs.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Input } from "../../ui/input.tsx";
import { Switch } from "../../ui/switch.tsx";
import { useQuery } from "@tanstack/react-query";
import { deploymentQuery } from "../../queries/deployment.ts";
import { Select } from "../../ui/select.tsx";
import type { AiSettings } from "../../lib/ai/ai-provider.ts";
import { isoNow } from "../../lib/clock.ts";
import { describeProblem } from "../../lib/problem.ts";
import { AiProblem, problemOfStatus } from "../../lib/ai/ai-problem.ts";
import { addressOf, type AiDeps, problemOfSilence } from "../../lib/ai/ask-ai.ts";
import { asList, asObject, asText, readProviderError } from "../../lib/ai/wire-value.ts";
import { BROWSER_AI } from "../../lib/ai/browser-ai.ts";

/** Dialog for the user's AI provider and its key; states where it is sent. The key stays in this browser. */
export default function ApiKeyDialog() {
  const [key, setKey] = useState("");
  const formId = useId();
  // What is chosen here holds once it is saved
  const [choice, setChoice] = useState(readAiChoice);
  const [isForTabOnly, setForTabOnly] = useState(() => isKeyOfTab(choice));
  const [hasKey, setHasKey] = useState(() => readAiKey(choice) !== null);
  const isAnother = choice.baseUrl !== useStore(aiChoice).baseUrl;
  const preset = presetOf(choice);
  const label = preset?.label ?? hostOf(choice);
  const typed = key.trim();
  const canUse = hasKey && isAnother && typed === "";

  function choose(next: AiChoice): void {
    setChoice(next);
    setForTabOnly(isKeyOfTab(next));
    setHasKey(readAiKey(next) !== null);
    // A key typed for one provider is not saved for another
    if (next.baseUrl !== choice.baseUrl) setKey("");
  }

  function save(): void {
    if (typed === "" && !canUse) return;
    writeAiChoice(choice);
    if (canUse) toastDone({ title: `${label} answers from now on` });
    else {
      saveAiKey(choice, typed, isForTabOnly);
      toastDone({ title: "API Key Saved", message: "Your API key has been saved successfully." });
    }
    closeDialog();
  }

  function forget(): void {
    forgetAiKey(choice);
    setHasKey(false);
    toastDone({ title: "API Key Forgotten", message: `This browser holds no key for ${label}.` });
  }

  return (
    <Dialog
      onClose={closeDialog}
      title="API Key Required"
      footer={
        <>
          {hasKey && (
            <Button tone="ghost" className="mr-auto" onClick={forget}>
              Forget key
            </Button>
          )}
          <Button onClick={closeDialog}>Cancel</Button>
          <Button tone="primary" type="submit" form={formId} disabled={typed === "" && !canUse}>
            {canUse ? `Use ${label}` : "Save Key"}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Form id={formId} className="flex flex-col gap-3" onSubmit={save}>
          <ProviderField choice={choice} onChoose={choose} />
          <Field
            label={`${label} API key`}
            hint={
              hasKey
                ? `A key for ${label} is saved. Saving another one replaces it.`
                : preset?.keyPage === null
                  ? "A program on this computer takes any text."
                  : undefined
            }
          >
            <Input
              type="password"
              data-first-field
              placeholder="sk-…"
              value={key}
              onChange={(event) => setKey(event.target.value)}
            />
          </Field>
          <Switch
            label="Keep it for this tab only"
            checked={isForTabOnly}
            onCheckedChange={setForTabOnly}
          />
          <p className="text-xs text-muted">
            Your API key is stored locally in this browser and is not sent to our servers. It goes
            to <strong className="font-semibold wrap-anywhere text-ink">{hostOf(choice)}</strong>{" "}
            only.
          </p>
          <KeyHelp key={choice.baseUrl} choice={choice} typedKey={typed} />
        </Form>
        <AiSettingsForm key={choice.baseUrl} before={choice} onSave={choose} />
      </div>
    </Dialog>
  );
}

interface KeyHelpProps {
  readonly choice: AiChoice;
  readonly typedKey: string;
}

/** The test of a key, and where the provider's keys are made. */
function KeyHelp({ choice, typedKey }: KeyHelpProps) {
  const preset = presetOf(choice);
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <KeyTest choice={choice} typedKey={typedKey} />
      {preset?.keyPage && (
        <a
          href={preset.keyPage}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-6 items-center gap-1 text-xs font-medium text-accent-text"
        >
          Get a key from {preset.label}
          <ExternalLink aria-hidden className="size-3.5" />
        </a>
      )}
    </div>
  );
}

const OTHER = "other";

interface ProviderFieldProps {
  readonly choice: AiChoice;
  readonly onChoose: (choice: AiChoice) => void;
}

/** Choice of a provider by name, which sets address, model and kind of API together. */
function ProviderField({ choice, onChoose }: ProviderFieldProps) {
  const allowed = useQuery(deploymentQuery).data?.aiOrigins;
  const fault = allowed === undefined ? null : findAddressFault(choice.baseUrl, allowed);
  const preset = presetOf(choice);
  const options = [
    ...AI_PRESETS.map(({ id, label }) => ({ value: id, label })),
    ...(preset === undefined ? [{ value: OTHER, label: "Another address" }] : []),
  ];
  return (
    <Field label="Provider" error={preset === undefined ? null : fault}>
      <Select
        value={preset?.id ?? OTHER}
        options={options}
        onValueChange={(chosen) => {
          const found = AI_PRESETS.find(({ id }) => id === chosen);
          if (found === undefined) return;
          const { baseUrl, currentModel, api } = found;
          onChoose({ baseUrl, currentModel, api });
        }}
      />
    </Field>
  );
}

const API_OPTIONS: readonly { readonly value: AiChoice["api"]; readonly label: string }[] = [
  { value: "chat", label: "Chat Completions: web search, reads where the model takes them" },
  { value: "responses", label: "Responses: web search and reads on demand" },
  { value: "chat-tools", label: "Chat Completions with reads, no web search" },
];

interface AiSettingsFormProps {
  readonly before: AiChoice;
  readonly onSave: (choice: AiChoice) => void;
}

/** Settings of the AI provider: any OpenAI-compatible one that this deployment's content policy allows. */
function AiSettingsForm({ before, onSave }: AiSettingsFormProps) {
  const [choice, setChoice] = useState(before);
  const allowed = useQuery(deploymentQuery).data?.aiOrigins;
  const address = choice.baseUrl.trim();
  const fault = allowed === undefined ? null : findAddressFault(address, allowed);
  const model = choice.currentModel.trim();

  function save(next: AiChoice): void {
    writeAiChoice(next);
    setChoice(next);
    onSave(next);
    toastDone({ title: "AI settings saved" });
  }

  return (
    <details className="rounded-md border px-3 py-2">
      <summary className="cursor-pointer text-xs font-medium text-muted">
        Provider and model
      </summary>
      <Form
        className="flex flex-col gap-3 pt-3 pb-1"
        onSubmit={() =>
          fault === null &&
          model !== "" &&
          save({ ...choice, baseUrl: address, currentModel: model })
        }
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
            options={API_OPTIONS}
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
      </Form>
    </details>
  );
}

/** Tests the typed key, otherwise the provider's saved one, at the chosen provider. */
function KeyTest({ choice, typedKey }: KeyHelpProps) {
  const key = typedKey || readAiKey(choice);
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<{ readonly isGood: boolean; readonly text: string } | null>(
    null,
  );

  async function run(): Promise<void> {
    setBusy(true);
    try {
      const now = () => Date.parse(isoNow());
      const text = await testAiKey(settingsOf(choice), key ?? "", { ...BROWSER_AI, now });
      setResult({ isGood: true, text });
    } catch (error) {
      setResult({ isGood: false, text: describeProblem(error).message });
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Button size="small" busy={isBusy} disabled={key === null} onClick={() => void run()}>
        Test key
      </Button>
      <p
        role="status"
        className={`order-last basis-full text-xs ${result?.isGood ? "text-up" : "text-down"}`}
      >
        {result?.text}
      </p>
    </>
  );
}

const DAY_MS = 24 * 3600_000;

/** Asks the provider for its models with the key, which costs nothing. Returns one sentence; throws AiProblem. */
export async function testAiKey(
  settings: AiSettings,
  key: string,
  deps: Pick<AiDeps, "fetch" | "isOnline"> & { readonly now: () => number },
): Promise<string> {
  const host = hostOf(settings);
  let response: Response;
  try {
    response = await deps.fetch(addressOf(settings, "/models"), {
      headers: headersOf(settings, key),
      credentials: "omit",
      referrerPolicy: "no-referrer",
      redirect: "error",
    });
  } catch {
    throw await problemOfSilence(settings, deps);
  }
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw problemOfStatus(response.status, host, readProviderError(answer));
  const models = asList(asObject(answer)["data"]).map(asObject);
  if (models.length === 0) return `${host} accepts the key.`;
  const model = models.find(({ id }) => id === settings.model);
  if (!model) {
    throw new AiProblem("model", host, `The model ${settings.model} is not among its models.`);
  }
  const shutdown = Date.parse(asText(model["shutdown_date"]));
  if (Number.isNaN(shutdown)) return `${host} accepts the key and offers ${settings.model}.`;
  const days = Math.floor((shutdown - deps.now()) / DAY_MS);
  return `${host} accepts the key. ${settings.model} is switched off in ${days} days: choose another in time.`;
}
