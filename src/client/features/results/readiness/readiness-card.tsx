import { Check, X } from "lucide-react";
import { useState } from "react";
import type { Agent } from "../../../../contract/agent.ts";
import { setReadinessBar } from "../../../../contract/readiness.ts";
import type { ChatId } from "../../../../domain/ids.ts";
import {
  READINESS_BAR_NAMES,
  READINESS_RANGES,
  READINESS_WORDS,
  type ReadinessBar,
  type ReadinessLine,
  readinessOf,
} from "../../../../domain/readiness.ts";
import { useChange } from "../../../queries/read.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { NotLoaded } from "../../../ui/not-loaded.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { DivergenceReport } from "../simulation/replay-card.tsx";
import { GoLiveDialog } from "./go-live-dialog.tsx";
import { useReadiness } from "./use-readiness.ts";

interface ReadinessCardProps {
  readonly agent: Agent;
  readonly onOpen: (chatId: ChatId) => void;
}

/** Whether an agent with play money is ready for real money: five lines, its divergence, the bar, and going live. */
export default function ReadinessCard({ agent, onOpen }: ReadinessCardProps) {
  const { recorded, divergence, run, figures, isFailed, retry } = useReadiness(agent);
  const [isGoing, setGoing] = useState(false);
  if (figures === null || recorded === undefined) {
    return isFailed ? (
      <NotLoaded onRetry={retry}>Its readiness could not be worked out.</NotLoaded>
    ) : (
      <Skeleton className="h-40" />
    );
  }
  const lines = readinessOf(figures, recorded.bar);
  const below = lines.filter(({ isMet }) => !isMet).length;
  return (
    <div className="flex flex-col gap-3">
      <ul aria-label="Lines of the bar" className="flex flex-col text-sm">
        {lines.map((line) => (
          <Line key={line.line} {...line} />
        ))}
      </ul>
      {agent.network === "practice" && (
        <p className="text-xs text-practice">
          The practice market is made up: what it earned there says nothing about a real one. Paper
          has real prices.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto text-sm">
          {below === 0 ? "At or above your bar." : `${below} of ${lines.length} below your bar.`}
        </p>
        <Button tone={below === 0 ? "primary" : "secondary"} onClick={() => setGoing(true)}>
          Go live
        </Button>
      </div>
      {recorded.live.length > 0 && (
        <p className="text-sm text-muted">
          Live from it:{" "}
          {recorded.live.map(({ agentId, chatId, name }) => (
            <button
              key={agentId}
              type="button"
              className="mr-2 underline hover:text-ink"
              onClick={() => onOpen(chatId)}
            >
              {name}
            </button>
          ))}
        </p>
      )}
      {divergence !== null && run !== undefined && (
        <details className="text-sm">
          <summary className="w-fit cursor-pointer rounded-sm py-1">
            How it parted from its simulation
          </summary>
          <div className="mt-1 flex flex-col gap-2">
            <DivergenceReport
              divergence={divergence}
              quoteDecimals={run.request.quoteDecimals}
              quoteSymbol={run.known.quoteSymbol}
            />
          </div>
        </details>
      )}
      <details className="text-sm">
        <summary className="w-fit cursor-pointer rounded-sm py-1">Your bar</summary>
        <BarForm key={JSON.stringify(recorded.bar)} bar={recorded.bar} />
      </details>
      {isGoing && (
        <GoLiveDialog
          agent={agent}
          figures={figures}
          lines={lines}
          onOpen={onOpen}
          onClose={() => setGoing(false)}
        />
      )}
    </div>
  );
}

function Line({ line, isMet, text }: ReadinessLine) {
  return (
    <li className="flex items-start gap-2 border-b border-line py-1.5 last:border-b-0 [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
      {isMet ? (
        <Check role="img" aria-label="Met" className="text-up" />
      ) : (
        <X role="img" aria-label="Below the bar" className="text-warn" />
      )}
      <span className="w-40 shrink-0 font-medium max-sm:w-28">{READINESS_WORDS[line]}</span>
      <span className="min-w-0 text-muted tabular-nums">{text}</span>
    </li>
  );
}

const BAR_LABELS: Readonly<Record<keyof ReadinessBar, string>> = {
  days: "Days",
  trades: "Closed trades",
  fallPercent: "Deepest fall, %",
  matchedPercent: "Trades as simulated, %",
  luckPercent: "More than luck, %",
};

/** Form of the owner's bar, which holds for all agents. */
function BarForm({ bar }: { readonly bar: ReadinessBar }) {
  const [texts, setTexts] = useState(() =>
    Object.fromEntries(READINESS_BAR_NAMES.map((name) => [name, `${bar[name]}`])),
  );
  const saving = useChange(setReadinessBar, { toast: { title: "Bar Saved" } });
  const isWrong = (name: keyof ReadinessBar) => {
    const { least, most } = READINESS_RANGES[name];
    const text = texts[name] ?? "";
    return !/^\d+$/.test(text) || Number(text) < least || Number(text) > most;
  };
  const save = () => {
    if (READINESS_BAR_NAMES.some(isWrong)) return;
    const values = READINESS_BAR_NAMES.map((name) => [name, Number(texts[name])] as const);
    saving.mutate({ body: { bar: Object.fromEntries(values) as ReadinessBar } });
  };
  return (
    <Form className="mt-1 flex flex-wrap items-end gap-3" onSubmit={save}>
      {READINESS_BAR_NAMES.map((name) => {
        const { least, most } = READINESS_RANGES[name];
        return (
          <Field
            key={name}
            label={BAR_LABELS[name]}
            error={isWrong(name) && `${least} to ${most}`}
            className="w-36"
          >
            <Input
              inputMode="numeric"
              value={texts[name] ?? ""}
              onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
            />
          </Field>
        );
      })}
      <Button type="submit" busy={saving.isPending}>
        Save bar
      </Button>
    </Form>
  );
}
