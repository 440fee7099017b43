import { useState } from "react";
import * as z from "zod/mini";
import { addNoticeChannel } from "../../../contract/notices.ts";
import { type ChannelKind, NOTICE_KINDS } from "../../../domain/notice.ts";
import type { NewChannel } from "../../queries/notices.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";

interface Asked {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly placeholder: string;
  /** Error text for a value the contract refuses. */
  readonly wrong: string;
}

const FIELDS: Readonly<Record<Exclude<ChannelKind, "push">, readonly Asked[]>> = {
  telegram: [
    {
      name: "token",
      label: "Bot token",
      hint: "Make a bot with @BotFather and paste its token. It is kept encrypted and never shown again.",
      placeholder: "123456789:AA…",
      wrong: "That is not a bot token.",
    },
    {
      name: "chatId",
      label: "Chat",
      hint: "Write to your bot once, then enter your chat's number, or the @name of a channel it may post in.",
      placeholder: "123456789",
      wrong: "A chat is a number or an @name.",
    },
  ],
  email: [
    {
      name: "address",
      label: "E-mail address",
      hint: "A code is sent there first, to confirm that it is yours.",
      placeholder: "you@example.com",
      wrong: "That is not an e-mail address.",
    },
  ],
  webhook: [
    {
      name: "url",
      label: "Address",
      hint: "A public https address of yours. Our calls are signed; the secret is shown once after this.",
      placeholder: "https://…",
      wrong: "The address must begin with https://.",
    },
  ],
};

interface TargetFormProps {
  readonly kind: Exclude<ChannelKind, "push">;
  readonly busy: boolean;
  readonly onAdd: (channel: NewChannel) => Promise<void>;
}

/** Form for the target of one kind of channel, checked against the contract before it is sent. */
export function TargetForm({ kind, busy, onAdd }: TargetFormProps) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set());
  const submit = () => {
    const parts = FIELDS[kind].map(({ name }) => [name, (typed[name] ?? "").trim()]);
    const channel = { kind, ...Object.fromEntries(parts), events: [...NOTICE_KINDS] };
    const checked = z.safeParse(addNoticeChannel.body, channel);
    if (checked.success) void onAdd(checked.data);
    else setWrong(new Set(checked.error.issues.map(({ path }) => String(path[0]))));
  };
  return (
    <form
      aria-label="Add a place"
      className="flex flex-col gap-3 rounded-md border border-line p-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {FIELDS[kind].map(({ name, label, hint, placeholder, wrong: fault }) => (
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
    </form>
  );
}
