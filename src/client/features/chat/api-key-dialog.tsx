import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { forgetAiKey, isKeyOfTab, readAiKey, saveAiKey } from "../../lib/ai/ai-key.ts";
import {
  AI_PRESETS,
  type AiChoice,
  choiceOf,
  findAddressFault,
  hostOf,
  presetOf,
  readAiChoice,
  settingsOf,
  writeAiChoice,
} from "../../lib/ai/ai-settings.ts";
import {
  chooseModel,
  dayOf,
  findModelFault,
  LIST_LIMITS,
  type Model,
  proposeChoice,
  readModels,
  sortModels,
} from "../../lib/ai/models.ts";
import { clock } from "../../lib/clock.ts";
import { closeDialog } from "../../lib/dialogs.ts";
import { describeProblem } from "../../lib/problem.ts";
import { toastDone } from "../../lib/toast.ts";
import { deploymentQuery } from "../../queries/deployment.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import { Switch } from "../../ui/switch.tsx";

/** Models at the chosen address, read with the key saved for it; the key is no part of what is cached. */
const modelsQuery = (choice: AiChoice) =>
  queryOptions({
    queryKey: ["ai-models", choice.baseUrl],
    queryFn: ({ signal }) => readModels(choice, readAiKey(choice) ?? "", LIST_LIMITS, signal),
    retry: false,
    staleTime: 5 * 60_000,
  });

/** State of the dialog; what is chosen in it holds once it is saved. */
function useKeyForm() {
  const client = useQueryClient();
  const [key, setKey] = useState("");
  const [saved, setSaved] = useState(readAiChoice);
  const [choice, setChoice] = useState(saved);
  const [isForTabOnly, setForTabOnly] = useState(() => isKeyOfTab(choice));
  const [hasKey, setHasKey] = useState(() => readAiKey(choice) !== null);
  const allowed = useQuery(deploymentQuery).data?.aiOrigins;
  const fault = allowed === undefined ? null : findAddressFault(choice.baseUrl, allowed);
  const mayAsk = allowed !== undefined && fault === null;
  const list = useQuery({ ...modelsQuery(choice), enabled: mayAsk && hasKey });
  const label = presetOf(choice)?.label ?? hostOf(choice);
  const typed = key.trim();
  const parts = ["baseUrl", "currentModel", "api"] as const;
  const isChanged = parts.some((part) => choice[part] !== saved[part]);
  const isUsable = hasKey || choice.currentModel !== "";
  const canSave = mayAsk && (typed !== "" || (isChanged && isUsable));
  const shown = useRef<AiChoice>(null);
  useEffect(() => {
    shown.current = choice;
    return () => void (shown.current = null);
  }, [choice]);

  function choose(next: AiChoice): void {
    setChoice(next);
    if (next.baseUrl === choice.baseUrl) return;
    setForTabOnly(isKeyOfTab(next));
    setHasKey(readAiKey(next) !== null);
    // A key typed for one provider is not saved for another
    setKey("");
  }

  function keep(next: AiChoice): void {
    writeAiChoice(next);
    setSaved(next);
    setChoice(next);
  }

  async function save(): Promise<void> {
    if (!canSave) return;
    if (typed !== "") {
      saveAiKey(choice, typed, isForTabOnly);
      setHasKey(true);
      setKey("");
      toastDone({ title: "API Key Saved", message: "Your API key has been saved successfully." });
    }
    if (choice.currentModel !== "") keep(choice);
    if (typed === "" && !hasKey) return closeDialog();
    // What a replaced key has asked for says nothing of this one
    await client.cancelQueries(modelsQuery(choice));
    const asked = client.fetchQuery({ ...modelsQuery(choice), staleTime: 0 });
    const models = await asked.catch(() => null);
    // The field of the key says why there is no list
    if (models === null || shown.current !== choice) return;
    const next = choice.currentModel === "" ? proposeChoice(models, choice, clock.now()) : choice;
    if (next === null) return;
    keep(next);
    if (findModelFault(models, next, clock.now()) !== null) return;
    const { model } = settingsOf(next);
    if (typed === "" || next !== choice) toastDone({ title: `${label} answers with ${model}` });
    closeDialog();
  }

  function forget(): void {
    forgetAiKey(choice);
    setHasKey(false);
    client.removeQueries(modelsQuery(choice));
    toastDone({ title: "API Key Forgotten", message: `This browser holds no key for ${label}.` });
  }

  const saveLabel = typed === "" && isChanged ? "Save" : "Save Key";
  const of = { key, setKey, choice, choose, isForTabOnly, setForTabOnly, hasKey, allowed, fault };
  return { ...of, list, label, canSave, save, saveLabel, forget };
}

type KeyForm = ReturnType<typeof useKeyForm>;

/** Dialog for the user's AI provider, its key and model; states where the key is sent. The key stays in this browser. */
export default function ApiKeyDialog() {
  const formId = useId();
  const form = useKeyForm();
  const { choice, choose, fault, list } = form;
  return (
    <Dialog
      onClose={closeDialog}
      title="API Key Required"
      footer={
        <>
          {form.hasKey && (
            <Button tone="ghost" className="mr-auto" onClick={form.forget}>
              Forget key
            </Button>
          )}
          <Button onClick={closeDialog}>Cancel</Button>
          <Button tone="primary" type="submit" form={formId} disabled={!form.canSave}>
            {form.saveLabel}
          </Button>
        </>
      }
    >
      <Form id={formId} className="flex flex-col gap-3" onSubmit={form.save}>
        <ProviderField form={form} />
        <KeyField form={form} />
        <ModelField
          choice={choice}
          models={list.data}
          isReading={list.isFetching}
          onChoose={choose}
        />
        <details className="rounded-md border px-3 py-2">
          <summary className="cursor-pointer text-xs font-medium text-muted">
            Address and kind of API
          </summary>
          <div className="flex flex-col gap-3 pt-3 pb-1">
            <Field label="Base address" error={fault}>
              <Input
                inputMode="url"
                spellCheck={false}
                value={choice.baseUrl}
                onChange={(event) => choose({ ...choice, baseUrl: event.target.value.trim() })}
              />
            </Field>
            <Field label="Kind of API">
              <Select
                value={choice.api}
                options={API_OPTIONS}
                onValueChange={(api) => choose({ ...choice, api: api as AiChoice["api"] })}
              />
            </Field>
          </div>
        </details>
      </Form>
    </Dialog>
  );
}

const API_OPTIONS: readonly { readonly value: AiChoice["api"]; readonly label: string }[] = [
  { value: "chat", label: "Chat Completions: web search, reads where the model takes them" },
  { value: "responses", label: "Responses: web search and reads on demand" },
  { value: "chat-tools", label: "Chat Completions with reads, no web search" },
];

const OTHER = "Another address";

/** Choice of a provider by name among those that the deployment allows. */
function ProviderField({ form }: { readonly form: KeyForm }) {
  const { choice, allowed } = form;
  const preset = presetOf(choice);
  const offered = AI_PRESETS.filter(
    (one) => one === preset || allowed === undefined || !findAddressFault(one.baseUrl, allowed),
  );
  return (
    <Field label="Provider" error={form.fault}>
      <Select
        value={preset?.label ?? OTHER}
        options={[
          ...offered.map(({ label }) => ({ value: label, label })),
          ...(preset === undefined ? [{ value: OTHER, label: OTHER }] : []),
        ]}
        onValueChange={(chosen) => {
          const found = AI_PRESETS.find(({ label }) => label === chosen);
          if (found !== undefined) form.choose(choiceOf(found));
        }}
      />
    </Field>
  );
}

/** The key, where it goes and where it is made. */
function KeyField({ form }: { readonly form: KeyForm }) {
  const { choice, hasKey, label, list } = form;
  const keyPage = presetOf(choice)?.keyPage;
  return (
    <>
      <Field
        label={`${label} API key`}
        error={hasKey && list.error !== null && describeProblem(list.error).message}
        hint={
          hasKey
            ? `A key for ${label} is saved. Saving another one replaces it.`
            : keyPage === null && "A program on this computer takes any text."
        }
      >
        <Input
          type="password"
          data-first-field
          placeholder="sk-…"
          value={form.key}
          onChange={(event) => form.setKey(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Switch
          label="Keep it for this tab only"
          checked={form.isForTabOnly}
          onCheckedChange={form.setForTabOnly}
        />
        {keyPage && (
          <a
            href={keyPage}
            target="_blank"
            rel="noopener noreferrer"
            className="inline-flex min-h-6 items-center gap-1 text-xs font-medium text-accent-text"
          >
            Get a key from {label}
            <ExternalLink aria-hidden className="size-3.5" />
          </a>
        )}
      </div>
      <p className="text-xs text-muted">
        Your API key is stored locally in this browser and is not sent to our servers. It goes to{" "}
        <strong className="font-semibold wrap-anywhere text-ink">{hostOf(choice)}</strong> only.
      </p>
    </>
  );
}

interface ModelFieldProps {
  readonly choice: AiChoice;
  readonly onChoose: (choice: AiChoice) => void;
  /** Undefined until the provider has listed them. */
  readonly models: readonly Model[] | undefined;
  readonly isReading: boolean;
}

/** Most models shown at once; typing a part of a name finds the others. */
const MOST_SHOWN = 30;

/** The model's name, what its provider says of it, and the listed ones that contain what is typed. */
function ModelField({ choice, models, isReading, onChoose }: ModelFieldProps) {
  const host = hostOf(choice);
  const [nowMs] = useState(clock.now);
  const { model, baseUrl, api } = settingsOf(choice);
  const typed = choice.currentModel.toLowerCase();
  const all = useMemo(
    () => sortModels(models ?? [], { baseUrl, api }, nowMs),
    [models, baseUrl, api, nowMs],
  );
  const matching = all.filter(({ id }) => id.toLowerCase().includes(typed));
  const isSearch = matching.length > 0 && !all.some(({ id }) => id === choice.currentModel);
  const found = isSearch ? matching : all;
  return (
    <>
      <Field
        label="Model"
        error={findModelFault(all, choice, nowMs)}
        hint={
          isReading
            ? `Reading the models of ${host}…`
            : models === undefined
              ? `${typed === "" ? "It is taken" : "It is checked"} once ${host} has listed its models.`
              : all.length === 0
                ? `${host} lists no models: enter the name of one.`
                : `${host} accepts the key and offers ${model || `${all.length} models`}.`
        }
      >
        <Input
          spellCheck={false}
          value={choice.currentModel}
          onChange={(event) => onChoose({ ...choice, currentModel: event.target.value.trim() })}
        />
      </Field>
      {found.length > 0 && (
        <ul
          aria-label={`Models of ${host}`}
          className="max-h-32 overflow-y-auto rounded-md border p-1"
        >
          {found.slice(0, MOST_SHOWN).map(({ id, endsMs }) => (
            <li key={id}>
              <button
                type="button"
                aria-pressed={id === model}
                onClick={() => onChoose(chooseModel(choice, id))}
                className="flex min-h-7 w-full items-center justify-between gap-2 rounded-sm px-2 text-left text-sm hover:bg-hover aria-pressed:bg-accent-soft"
              >
                <span className="min-w-0 wrap-anywhere">{id}</span>
                {endsMs !== null && (
                  <span className="shrink-0 text-xs text-warn">ends {dayOf(endsMs)}</span>
                )}
              </button>
            </li>
          ))}
          {found.length > MOST_SHOWN && (
            <li className="px-2 py-1 text-xs text-faint">
              {found.length - MOST_SHOWN} more: type a part of a name to find them.
            </li>
          )}
        </ul>
      )}
    </>
  );
}
