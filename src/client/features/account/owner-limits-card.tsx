import { useState } from "react";
import type { Agent } from "../../../contract/agent.ts";
import { OWNER_LIMIT_NAMES } from "../../../domain/owner-limits.ts";
import { setOwnerLimits } from "../../../contract/owner-limits.ts";
import { useAgentChange } from "../../queries/read.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { NumberText } from "../../ui/number-text.tsx";
import { formOf, isShare, type LimitForm, type LimitName, readForm } from "./limit-form.ts";

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

interface OwnerLimitsCardProps {
  readonly agent: Agent;
}

/** Card of the owner's limits of an agent. Tighter limits are saved at once, looser ones need the wallet's signature. */
export function OwnerLimitsCard({ agent }: OwnerLimitsCardProps) {
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
