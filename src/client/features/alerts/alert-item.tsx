import { Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import type { AlertCondition } from "../../../domain/condition/condition.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Field } from "../../ui/field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Input } from "../../ui/input.tsx";
import { fillAlertText } from "./alert-text.ts";

export interface AlertRow {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly condition: AlertCondition | null;
}

/** Longest alert name the server takes. */
const MAX_NAME = 100;
const MAX_DESCRIPTION = 1_000;

/** Returns an alert's name, or "unnamed alert" while it has none. */
export const calledOf = ({ name }: AlertRow): string => name.trim() || "unnamed alert";

interface AlertItemProps {
  readonly alert: AlertRow;
  readonly alertText: string | null;
  readonly error: string | null;
  readonly onChange: (row: AlertRow) => void;
  readonly onDelete: () => void;
  /** Editor of the alert's condition. */
  readonly children?: ReactNode;
}

export function AlertItem({
  alert,
  alertText,
  error,
  onChange,
  onDelete,
  children,
}: AlertItemProps) {
  const name = alert.name.trim();
  const called = calledOf(alert);
  return (
    <li className="flex items-start gap-2 rounded-md border border-line bg-raised p-2">
      <div className="grid min-w-0 grow gap-2 sm:grid-cols-[2fr_3fr]">
        <Field label="Alert name" hideLabel error={error}>
          <Input
            value={alert.name}
            maxLength={MAX_NAME}
            placeholder="Alert name"
            onChange={(event) => onChange({ ...alert, name: event.target.value })}
          />
        </Field>
        <Field label={`Description of ${called}`} hideLabel>
          <Input
            value={alert.description}
            maxLength={MAX_DESCRIPTION}
            placeholder="Description (optional)"
            onChange={(event) => onChange({ ...alert, description: event.target.value })}
          />
        </Field>
        {children && <div className="flex min-w-0 flex-col sm:col-span-2">{children}</div>}
      </div>
      <div className="flex h-8 shrink-0 items-center">
        {alertText !== null && name !== "" && (
          <CopyButton
            text={fillAlertText(alertText, name)}
            label={`Copy alert action of ${called}`}
          />
        )}
        <IconButton
          size="small"
          label={`Delete ${called}`}
          icon={<Trash2 aria-hidden />}
          onClick={onDelete}
        />
      </div>
    </li>
  );
}
