import { useState } from "react";
import * as z from "zod/mini";
import type { ChannelField } from "../../../contract/notice-channels/channel.ts";
import type { ChannelKind, NewChannel } from "../../../contract/notice-channels/list.ts";
import { addNoticeChannel } from "../../../contract/notices.ts";
import { NOTICE_KINDS } from "../../../domain/notice.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Input } from "../../ui/input.tsx";

interface TargetFormProps {
  readonly kind: ChannelKind;
  readonly form: readonly ChannelField[];
  readonly busy: boolean;
  readonly onAdd: (channel: NewChannel) => void;
}

/** Form for the target of one kind of channel, checked against the contract before it is sent. */
export function TargetForm({ kind, form, busy, onAdd }: TargetFormProps) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set());
  const submit = () => {
    const parts = form.map(({ name }) => [name, (typed[name] ?? "").trim()]);
    const channel = { kind, ...Object.fromEntries(parts), events: [...NOTICE_KINDS] };
    const checked = z.safeParse(addNoticeChannel.body, channel);
    if (checked.success) onAdd(checked.data);
    else setWrong(new Set(checked.error.issues.map(({ path }) => String(path[0]))));
  };
  return (
    <Form
      aria-label="Add a place"
      className="flex flex-col gap-3 rounded-md border border-line p-3"
      onSubmit={submit}
    >
      {form.map(({ name, label, hint, placeholder, wrong: fault }) => (
        <Field key={name} label={label} hint={hint} error={wrong.has(name) ? fault : null}>
          <Input
            placeholder={placeholder}
            spellCheck={false}
            value={typed[name] ?? ""}
            onChange={(event) => {
              setTyped({ ...typed, [name]: event.target.value });
              setWrong(new Set([...wrong].filter((each) => each !== name)));
            }}
          />
        </Field>
      ))}
      <div className="flex justify-end">
        <Button type="submit" tone="primary" size="small" busy={busy}>
          Add
        </Button>
      </div>
    </Form>
  );
}
