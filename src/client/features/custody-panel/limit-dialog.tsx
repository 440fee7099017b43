import { useState } from "react";
import { parseDecimal } from "../../../domain/amount.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { NumberText } from "../../ui/number-text.tsx";
import type { SpendingLimit } from "./limit-list.tsx";

export type LimitChange = "lower" | "raise";

interface LimitDialogProps {
  readonly change: LimitChange;
  /** Current limit of the quote token. */
  readonly limit: SpendingLimit;
  /** Called with the daily limit in whole quote units. */
  readonly onAsk: (amount: string) => void;
  readonly onClose: () => void;
}

/** Decimals used to compare sizes; more than any quote token has. */
const PLACES = 9;

const MIN = "1";
const MAX = "1000000";

const units = (text: string): bigint => parseDecimal(text, PLACES) ?? 0n;

const WORDS = {
  lower: {
    title: "Lower the daily limit",
    wrong: "That is more than now. To allow more, raise the daily limit.",
    hint: "Both limits are replaced in one transaction; today's count starts again.",
  },
  raise: {
    title: "Raise the daily limit",
    wrong: "That is less than now. To allow less, lower the daily limit.",
    hint: "The trading key could move more in a day. Both limits are replaced in one transaction; today's count starts again.",
  },
} as const;

/** Dialog for the trading key's daily limit. */
export function LimitDialog({ change, limit, onAsk, onClose }: LimitDialogProps) {
  const words = WORDS[change];
  const [amount, setAmount] = useState("");
  const [error, setError] = useState<string | null>(null);
  const { symbol } = limit;
  const submit = (): void => {
    const asked = units(amount);
    if (asked < units(MIN) || asked > units(MAX)) {
      setError(`A daily limit is from 1 to 1,000,000 ${symbol}.`);
    } else if (asked === units(limit.amount)) {
      setError("That is the limit already.");
    } else if (asked > units(limit.amount) === (change === "lower")) {
      setError(words.wrong);
    } else onAsk(amount);
  };
  return (
    <Dialog
      open
      size="small"
      onOpenChange={(open) => !open && onClose()}
      title={words.title}
      description={`Now ${limit.amount} ${symbol} a day, and the same worth of the asset`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" onClick={submit}>
            Continue
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field label={`${symbol} a day`} error={error} hint={words.hint}>
          <NumberText
            data-first-field
            value={amount}
            onValueChange={(text) => {
              setAmount(text);
              setError(null);
            }}
            maxDecimals={2}
            unit={symbol}
          />
        </Field>
      </form>
    </Dialog>
  );
}
