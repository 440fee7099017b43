import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { storedAiKey } from "../../lib/storage.ts";
import { toastDone } from "../../lib/toast.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";

const KEY_PAGE = "https://platform.openai.com/api-keys";

/** Takes the user's own AI key. It stays in this browser. */
export default function ApiKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const [key, setKey] = useState("");
  const [hasKey, setHasKey] = useState(() => storedAiKey.read() !== null);

  function save(): void {
    if (key.trim() === "") return;
    storedAiKey.write(key.trim());
    toastDone({ title: "API Key Saved", message: "Your API key has been saved successfully." });
    onClose();
  }

  return (
    <Dialog
      open
      size="small"
      onOpenChange={(open) => !open && onClose()}
      title="API Key Required"
      footer={
        <>
          {hasKey && (
            <Button
              tone="ghost"
              className="mr-auto"
              onClick={() => {
                storedAiKey.remove();
                setHasKey(false);
              }}
            >
              Remove key
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" disabled={key.trim() === ""} onClick={save}>
            Save Key
          </Button>
        </>
      }
    >
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
            autoFocus
            placeholder="sk-…"
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        </Field>
        <p className="text-xs text-muted">
          Your API key is stored locally in this browser and is not sent to our servers.
        </p>
        <a
          href={KEY_PAGE}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-6 items-center gap-1 self-start text-xs font-medium text-accent-text"
        >
          Get a key from OpenAI
          <ExternalLink aria-hidden className="size-3.5" />
        </a>
      </form>
    </Dialog>
  );
}
