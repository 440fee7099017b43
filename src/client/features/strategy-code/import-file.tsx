import { FileUp } from "lucide-react";
import { type ChangeEvent, useRef, useState } from "react";
import type { AgentFile } from "../../../contract/agent-file.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Textarea } from "../../ui/textarea.tsx";
import { MAX_FILE_LENGTH, readAgentFile } from "./read-agent-file.ts";

interface ImportFileProps {
  readonly onClose: () => void;
  readonly onRead: (file: AgentFile) => void;
}

/** Dialog for an agent file from disk or pasted; its changes are shown before anything is saved. */
export function ImportFile({ onClose, onRead }: ImportFileProps) {
  const [text, setText] = useState("");
  const [faults, setFaults] = useState<readonly string[]>([]);
  const inputRef = useRef<HTMLInputElement>(null);

  const take = (content: string) => {
    const reading = readAgentFile(content);
    if (reading.ok) onRead(reading.file);
    else setFaults(reading.faults);
  };
  const takeFile = async (event: ChangeEvent<HTMLInputElement>) => {
    const input = event.currentTarget;
    const file = input.files?.[0];
    if (file === undefined) return;
    // A UTF-16 unit takes at most 4 bytes, so a larger file exceeds the limit without reading it
    take(file.size > 4 * MAX_FILE_LENGTH ? " ".repeat(MAX_FILE_LENGTH + 1) : await file.text());
    // Allows selecting the same file again after it was corrected
    input.value = "";
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Import an agent file"
      description="Nothing is saved yet: the next step shows what would change."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" disabled={text.trim() === ""} onClick={() => take(text)}>
            Show changes
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <input
          ref={inputRef}
          type="file"
          accept=".json,application/json"
          aria-label="Agent file"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => void takeFile(event)}
        />
        <Button className="self-start" onClick={() => inputRef.current?.click()}>
          <FileUp aria-hidden />
          Choose a file
        </Button>
        <Field label="Or paste its text">
          <Textarea
            rows={8}
            data-first-field
            spellCheck={false}
            value={text}
            className="font-mono text-xs"
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        {faults.length > 0 && (
          <div role="alert" className="rounded-md bg-down-soft px-3 py-2 text-xs text-down">
            <p className="font-semibold">This file cannot be used.</p>
            <ul className="list-disc pl-4">
              {faults.map((fault) => (
                <li key={fault} className="wrap-anywhere">
                  {fault}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </Dialog>
  );
}
