import { useState } from "react";
import type { Agent } from "../../../contract/agent.ts";
import {
  OWNER_LIMIT_NAMES,
  OWNER_LIMIT_RANGES,
  type OwnerLimits,
} from "../../../domain/owner-limits.ts";
import { setOwnerLimits } from "../../../contract/owner-limits.ts";
import { useAgentChange } from "../../queries/read.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { NumberText } from "../../ui/number-text.tsx";
import type { SentOwnerLimits } from "../../../contract/fields.ts";
import { formatDecimal, parseDecimal, toSafeNumber } from "../../../domain/amount.ts";

const FIELDS: Readonly<Record<LimitName, { readonly label: string; readonly hint: string }>> = {
  dayLossBps: {
    label: "Largest loss a day",
    hint: "Of the account at 00:00 UTC. Every agent stops at 10% anyway.",
  },
  fallBps: {
    label: "Largest fall from the peak",
    hint: "Looked at before each entry, from the highest value since you set it, as recorded at fills and once an hour. Deposits and withdrawals count for nothing. Reached, it holds until you resume.",
  },
  tradesPerDay: { label: "Trades a day", hint: "Positions it may open from 00:00 UTC on." },
  lossesInRow: {
    label: "Pause after losses in a row",
    hint: "Losing trades one after another. It then waits until you resume.",
  },
  assetShareBps: {
    label: "Most in one asset",
    hint: "Of the money of all your agents on this network, long and short together.",
  },
};

/** Card of the owner's limits of an agent. Tighter limits are saved at once, looser ones need the wallet's signature. */
export function OwnerLimitsCard({ agent }: { readonly agent: Agent }) {
  const stored = formOf(agent.limits);
  const [changed, setChanged] = useState<Partial<LimitForm>>({});
  const [wrong, setWrong] = useState<{ readonly name: LimitName; readonly words: string } | null>(
    null,
  );
  const save = useAgentChange(setOwnerLimits, { toast: { title: "Limits saved" } });
  const form = { ...stored, ...changed };
  const isChanged = OWNER_LIMIT_NAMES.some((name) => form[name] !== stored[name]);
  const submit = () => {
    const read = readForm(form);
    setWrong(read.ok ? null : read);
    if (!read.ok) return;
    save.mutate(
      { params: { agentId: agent.id }, body: { limits: read.limits } },
      { onSuccess: () => setChanged({}) },
    );
  };
  return (
    <Card
      aria-labelledby="owner-limits"
      className="mx-auto flex w-full max-w-[640px] flex-col gap-4"
    >
      <div>
        <h3 id="owner-limits" className="text-sm font-semibold">
          Your limits
        </h3>
        <p className="mt-0.5 text-xs text-muted">
          They hold back new positions and never the closing of one: a limit can be overrun by what
          the position that is open loses. Empty sets none.
        </p>
      </div>
      <Form className="grid gap-4 sm:grid-cols-2" onSubmit={submit}>
        {OWNER_LIMIT_NAMES.map((name) => (
          <Field
            key={name}
            label={FIELDS[name].label}
            hint={FIELDS[name].hint}
            error={wrong?.name === name ? wrong.words : undefined}
          >
            <NumberText
              value={form[name]}
              placeholder="No limit"
              maxDecimals={isShare(name) ? 2 : 0}
              unit={isShare(name) ? "%" : ""}
              onValueChange={(text) => {
                setWrong(null);
                setChanged({ ...changed, [name]: text });
              }}
            />
          </Field>
        ))}
        <div className="flex items-end justify-end">
          <Button type="submit" tone="primary" disabled={!isChanged} busy={save.isPending}>
            Save limits
          </Button>
        </div>
      </Form>
    </Card>
  );
}

type LimitName = keyof OwnerLimits;

/** Values of the form's fields; an empty one sets no limit. Shares are in percent. */
type LimitForm = Readonly<Record<LimitName, string>>;

const isShare = (name: LimitName): boolean => name.endsWith("Bps");

const placesOf = (name: LimitName): number => (isShare(name) ? 2 : 0);

/** Returns the form's fields for an agent's limits. */
export const formOf = (limits: Agent["limits"]): LimitForm =>
  Object.fromEntries(
    OWNER_LIMIT_NAMES.map((name) => {
      const limit = limits?.[name];
      return [name, limit === undefined ? "" : formatDecimal(BigInt(limit), placesOf(name))];
    }),
  ) as LimitForm;

type ReadLimits =
  | { readonly ok: true; readonly limits: SentOwnerLimits }
  | { readonly ok: false; readonly name: LimitName; readonly words: string };

/** Parses the fields; names the first one that is out of range. */
export function readForm(form: LimitForm): ReadLimits {
  const limits: Partial<Record<LimitName, number>> = {};
  for (const name of OWNER_LIMIT_NAMES) {
    const text = form[name].trim();
    if (text === "") continue;
    const units = parseDecimal(text, placesOf(name));
    const { least, most } = OWNER_LIMIT_RANGES[name];
    if (units === null || units < BigInt(least) || units > BigInt(most)) {
      const unit = isShare(name) ? "%" : "";
      const [from, to] = [least, most].map((edge) => formatDecimal(BigInt(edge), placesOf(name)));
      return {
        ok: false,
        name,
        words: `From ${from}${unit} to ${to}${unit}, or empty for no limit.`,
      };
    }
    limits[name] = toSafeNumber(units);
  }
  return { ok: true, limits };
}
