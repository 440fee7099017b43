import { useState } from "react";
import { CODE_DIGITS, CODE_MINUTES } from "../../../contract/notices.ts";
import { describeProblem } from "../../lib/problem.ts";
import { toastDone, toastError } from "../../lib/toast.ts";
import type { NoticeChanges, NoticeChannel } from "../../queries/notices.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";

interface ConfirmCodeProps {
  readonly channel: NoticeChannel;
  readonly changes: NoticeChanges;
}

/** Asks for the code that was sent to an address; nothing else is sent there before. */
export function ConfirmCode({ channel, changes }: ConfirmCodeProps) {
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  const submit = async () => {
    const digits = code.replaceAll(/\s/g, "");
    if (digits.length !== CODE_DIGITS || /\D/.test(digits)) {
      setWrong(`The code has ${CODE_DIGITS} digits.`);
      return;
    }
    try {
      await changes.confirm.mutateAsync({ id: channel.id, code: digits });
      toastDone({ title: "Confirmed", message: "Notices are sent there from now on." });
    } catch (error) {
      setWrong(describeProblem(error).message);
    }
  };
  const sendAgain = async () => {
    try {
      await changes.sendCode.mutateAsync(channel.id);
      setCode("");
      setWrong(null);
      toastDone({ title: "A new code is on its way" });
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <form
      aria-label={`Confirm ${channel.label}`}
      className="flex flex-col gap-2 border-t px-3 py-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        label="Code from the mail"
        hint={`It can be used for ${CODE_MINUTES} minutes. Nothing else is sent there before.`}
        error={wrong}
      >
        <Input
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder="123456"
          value={code}
          onChange={(event) => {
            setCode(event.target.value);
            setWrong(null);
          }}
        />
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="small" busy={changes.sendCode.isPending} onClick={() => void sendAgain()}>
          Send a new code
        </Button>
        <Button type="submit" tone="primary" size="small" busy={changes.confirm.isPending}>
          Confirm
        </Button>
      </div>
    </form>
  );
}
