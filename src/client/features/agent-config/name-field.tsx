import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import type { AgentForm } from "./agent-form.ts";
import type { FormChange } from "./agent-form-reducer.ts";

/** Longest agent name the server takes. */
const MAX_NAME = 120;

interface NameFieldProps {
  readonly form: AgentForm;
  readonly change: (change: FormChange) => void;
  readonly error: string | null;
}

/** Field of the agent's name, generated or typed; a replaced typed name can be restored. */
export function NameField({ form, change, error }: NameFieldProps) {
  const { replacedName } = form;
  return (
    <div className="flex flex-col gap-1.5 sm:col-span-2">
      <Field label="Agent name" error={error} hint="A new asset or interval makes a new name">
        <Input
          value={form.name}
          maxLength={MAX_NAME}
          onChange={(event) => change({ kind: "name", name: event.target.value })}
        />
      </Field>
      {replacedName !== null && (
        <Button
          size="small"
          className="max-w-full self-start"
          onClick={() => change({ kind: "name", name: replacedName })}
        >
          <span className="truncate">Keep the name {replacedName}</span>
        </Button>
      )}
    </div>
  );
}
