import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { useStore } from "zustand";
import { forgetAiKey, isKeyOfTab, readAiKey, saveAiKey } from "../../lib/ai/ai-key.ts";
import { aiChoice, hostOf } from "../../lib/ai/ai-settings.ts";
import { toastDone } from "../../lib/toast.ts";
import { closeDialog } from "../../lib/dialogs.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Switch } from "../../ui/switch.tsx";
import { AiSettingsForm } from "./ai-settings-form.tsx";
import { KeyTest } from "./key-test.tsx";

const KEY_PAGE = "https://platform.openai.com/api-keys";

/** Dialog for the user's AI key; states where it is sent. The key stays in this browser. */
export default function ApiKeyDialog() {
  const [key, setKey] = useState("");
  const [isForTabOnly, setForTabOnly] = useState(isKeyOfTab);
  const [hasKey, setHasKey] = useState(() => readAiKey() !== null);
  const host = hostOf(useStore(aiChoice));
  const typed = key.trim();

  function save(): void {
    if (typed === "") return;
    saveAiKey(typed, isForTabOnly);
    toastDone({ title: "API Key Saved", message: "Your API key has been saved successfully." });
    closeDialog();
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && closeDialog()}
      title="API Key Required"
      footer={
        <>
          {hasKey && (
            <Button
              tone="ghost"
              className="mr-auto"
              onClick={() => {
                forgetAiKey();
                setHasKey(false);
                toastDone({ title: "API Key Forgotten", message: "This browser holds no key." });
              }}
            >
              Forget key
            </Button>
          )}
          <Button onClick={closeDialog}>Cancel</Button>
          <Button tone="primary" disabled={typed === ""} onClick={save}>
            Save Key
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <Field
            label="OpenAI API key"
            hint={hasKey ? "A key is saved. Saving another one replaces it." : undefined}
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
            to <strong className="font-semibold wrap-anywhere text-ink">{host}</strong> only.
          </p>
          <div className="flex flex-wrap items-center justify-between gap-2">
            <KeyTest typedKey={typed} hasKey={hasKey} />
            <a
              href={KEY_PAGE}
              target="_blank"
              rel="noopener noreferrer"
              className="inline-flex min-h-6 items-center gap-1 text-xs font-medium text-accent-text"
            >
              Get a key from OpenAI
              <ExternalLink aria-hidden className="size-3.5" />
            </a>
          </div>
        </form>
        <AiSettingsForm />
      </div>
    </Dialog>
  );
}
