import { Check, X } from "lucide-react";
import { useState } from "react";
import type { Agent } from "../../../../contract/agent.ts";
import { setReadinessBar, goLive } from "../../../../contract/readiness.ts";
import type { ChatId } from "../../../../domain/ids.ts";
import {
  READINESS_BAR_NAMES,
  READINESS_RANGES,
  READINESS_WORDS,
  type ReadinessBar,
  type ReadinessLine,
  readinessOf,
  type ReadinessFigures,
  FIRST_LIVE_DAY_LOSS_BPS,
  FIRST_LIVE_SIZE_PERCENT,
} from "../../../../domain/readiness.ts";
import { useChange } from "../../../queries/read.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { NotLoaded } from "../../../ui/not-loaded.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { DivergenceReport } from "../simulation/replay-card.tsx";
import { useReadiness } from "./use-readiness.ts";
import { useQuery } from "@tanstack/react-query";
import { describeProblem } from "../../../lib/problem.ts";
import { toastDone } from "../../../lib/toast.ts";
import { deploymentQuery, type Deployment } from "../../../queries/deployment.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { networkLabel } from "../../../ui/badge.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { Select } from "../../../ui/select.tsx";
import type { Network } from "../../../../domain/network.ts";
import { VENUE_PROFILES } from "../../../../venues/profiles.ts";

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

interface GoLiveDialogProps {
  readonly agent: Agent;
  readonly figures: ReadinessFigures;
  readonly lines: readonly ReadinessLine[];
  readonly onOpen: (chatId: ChatId) => void;
  readonly onClose: () => void;
}

/** Makes a new agent on a real network from the agent, after it said what differs and what is missing. */
export function GoLiveDialog({ agent, figures, lines, onOpen, onClose }: GoLiveDialogProps) {
  const { data: deployment } = useQuery(deploymentQuery);
  const networks = deployment?.networks ?? [];
  const choices = liveChoices(agent, networks);
  const [name, setName] = useState(`${agent.name} live`);
  const [wanted, setWanted] = useState<string | null>(null);
  const chosen =
    choices.find(({ network }) => network === wanted) ??
    choices.find(({ obstacle }) => obstacle === null) ??
    choices[0];
  const making = useChange(goLive);
  const below = lines.filter(({ isMet }) => !isMet);
  const make = () => {
    if (chosen === undefined) return;
    making.mutate(
      { params: { agentId: agent.id }, body: { name, network: chosen.network, figures } },
      {
        onSuccess: (made) => {
          toastDone({ title: "Agent Made", message: `${made.name} is off and has no money.` });
          onClose();
          onOpen(made.chatId);
        },
      },
    );
  };
  return (
    <Dialog
      keepOpenOutside
      onClose={onClose}
      title="Go live"
      description={`A new agent with the rules, plan and limits of ${agent.name}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            busy={making.isPending}
            disabled={chosen === undefined || chosen.obstacle !== null || name.trim() === ""}
            onClick={make}
          >
            {below.length > 0 ? "Sign and make it" : "Make it"}
          </Button>
        </>
      }
    >
      {deployment === undefined ? (
        <Spinner label="Reading the networks..." />
      ) : chosen === undefined ? (
        <p className="text-sm">
          This server has no real network. Whoever runs it enables one with NETWORKS and an RPC
          address.
        </p>
      ) : (
        <div className="flex flex-col gap-4 text-sm">
          <div className="grid gap-3 sm:grid-cols-2">
            <Field label="Network" error={chosen.obstacle}>
              <Select
                value={chosen.network}
                onValueChange={setWanted}
                options={choices.map(({ network }) => ({
                  value: network,
                  label: networkLabel(network),
                }))}
              />
            </Field>
            <Field label="Name">
              <Input
                value={name}
                maxLength={120}
                onChange={({ target }) => setName(target.value)}
              />
            </Field>
          </div>
          {below.length > 0 && <BelowBar lines={below} />}
          <section aria-label="What differs" className="flex flex-col gap-1">
            <h4 className="font-medium">What differs there</h4>
            <ul className="flex list-disc flex-col gap-0.5 pl-5 text-muted marker:text-faint">
              {liveDifferences(
                agent,
                networks.find(({ network }) => network === chosen.network),
              ).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </section>
          {making.isError && (
            <p role="alert" className="text-down">
              {describeProblem(making.error).message}
            </p>
          )}
        </div>
      )}
    </Dialog>
  );
}

function BelowBar({ lines }: Pick<GoLiveDialogProps, "lines">) {
  return (
    <section aria-label="Below your bar" className="flex flex-col gap-1">
      <h4 className="font-medium text-warn">Below your bar: your wallet signs this</h4>
      <ul className="flex list-disc flex-col gap-0.5 pl-5 marker:text-faint">
        {lines.map(({ line, text }) => (
          <li key={line}>
            {READINESS_WORDS[line]}: {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A real network that an agent can go live on, or why it cannot. */
interface LiveChoice {
  readonly network: Network;
  /** Null where nothing stands in the way. */
  readonly obstacle: string | null;
}

/** Returns the real networks of a deployment with what stands in the way of an agent there. */
export function liveChoices(
  { venue, marketId }: Pick<Agent, "venue" | "marketId">,
  networks: Deployment["networks"],
): LiveChoice[] {
  const { label, markets } = VENUE_PROFILES[venue];
  return networks.flatMap(({ network, venues }) => {
    if (network === "practice" || network === "paper") return [];
    const offered = venues.find((each) => each.venue === venue);
    const isTraded = markets.some((market) => market.marketId === marketId);
    const obstacle =
      offered === undefined
        ? `${label} is not offered there.`
        : isTraded
          ? null
          : `${label} does not trade ${marketId}.`;
    return [{ network, obstacle }];
  });
}

/** Returns what differs between an agent with play money and its copy with real money, one sentence each. */
export function liveDifferences(
  agent: Pick<
    Agent,
    "venue" | "network" | "positionSizePercent" | "limits" | "plan" | "slippagePercent"
  >,
  offered: Deployment["networks"][number] | undefined,
): string[] {
  const { kind, sides, label, hasSpendingLimits } = VENUE_PROFILES[agent.venue];
  const venue = offered?.venues.find((each) => each.venue === agent.venue);
  const size = Math.min(agent.positionSizePercent, FIRST_LIVE_SIZE_PERCENT);
  const loss = Math.min(
    agent.limits?.dayLossBps ?? FIRST_LIVE_DAY_LOSS_BPS,
    FIRST_LIVE_DAY_LOSS_BPS,
  );
  const before = agent.limits?.dayLossBps;
  return [
    `Position size ${size}% instead of ${agent.positionSizePercent}%.`,
    `Largest loss a day ${loss / 100}%, ${before === undefined ? "where none was set" : `before ${before / 100}%`}.`,
    "No money is in it and Auto-Trade is off: set-up, deposit and turning on are signed by your wallet as for any new agent.",
    agent.network === "paper"
      ? "Paper fills at live prices with the practice market's spread, impact and funding; there, orders meet the venue's own."
      : "Practice made its prices up; there, they are the market's.",
    `Slippage stays ${agent.slippagePercent}%: an entry beyond it does not fill.`,
    ...(sides.includes("short")
      ? []
      : [`${label} is ${kind} only: no short position, no leverage.`]),
    ...(hasSpendingLimits
      ? ["The trading key needs daily limits, which your wallet approves."]
      : []),
    ...(agent.plan === undefined
      ? []
      : [
          "Its plan is watched by this server every 5 s; no stop rests at the venue, and none holds while the server is off.",
        ]),
    "Set-up and transactions cost SOL there.",
    ...(venue !== undefined && venue.status !== "available" && venue.status !== "unread"
      ? [`${label} is ${venue.status} there now${venue.reason ? `: ${venue.reason}` : "."}`]
      : []),
    ...(venue?.issued ?? []).map(
      ({ symbol, powers }) =>
        `The issuer of ${symbol} can: ${powers.join(", ").replaceAll("_", " ")}.`,
    ),
  ];
}
