import type { Decision } from "../../../../contract/decisions.ts";
import { Fragment, type ReactNode } from "react";
import { reasonTodo, reasonWhat } from "../../../../domain/reasons.ts";
import { displayDecimal, groupThousands } from "../../../lib/format.ts";
import { signalText } from "../../../lib/signal-text.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Figure } from "../../../ui/figure.tsx";
import { TimeText } from "../../../ui/time-text.tsx";
import {
  countersText,
  outcomeSentence,
  outcomeWords,
  checkFigure,
  checkLabel,
} from "./decision-words.ts";
import { tradedAsset, type GraphNode } from "./graph-model.ts";
import { clsx } from "clsx";
import { CircleCheck, CircleX } from "lucide-react";

interface NodeDetailsProps {
  readonly decision: Decision;
  readonly node: GraphNode;
  readonly explorerUrl: ((signature: string) => string) | null;
}

/** All recorded details of one stage of a decision. */
export function NodeDetails({ decision, node, explorerUrl }: NodeDetailsProps) {
  switch (node.kind) {
    case "alert":
      return <AlertDetails decision={decision} name={node.headline} />;
    case "owner":
      return <p className="text-sm">You asked for it. No alert and no rule decided this.</p>;
    case "rule":
      return <RuleDetails decision={decision} id={node.id.replace("rule-", "")} />;
    case "account":
      return <AccountDetails decision={decision} />;
    case "checks":
      return <CheckList checks={decision.checks} asset={tradedAsset(decision.market)} />;
    case "order":
      return <OrderDetails decision={decision} />;
    case "sent":
      return <SentDetails decision={decision} explorerUrl={explorerUrl} />;
    case "fill":
      return <FillDetails decision={decision} />;
    case "outcome":
      return <OutcomeDetails decision={decision} />;
  }
}

type ShownAlert = NonNullable<Decision["alert"]> &
  Partial<Pick<Decision["alerts"][number], "count" | "requiredCount">>;

function AlertDetails({ decision, name }: { readonly decision: Decision; readonly name: string }) {
  const counted = decision.alerts.filter(({ alertName }) => alertName === name);
  const alone = decision.alert === undefined ? [] : [decision.alert];
  const shown: readonly ShownAlert[] = counted.length > 0 ? counted : alone;
  return (
    <ol className="flex flex-col gap-1.5 text-sm">
      {shown.map((alert) => (
        <li key={alert.eventId} className="flex flex-wrap items-baseline gap-x-3">
          <TimeText at={alert.at} as="clock" className="font-mono text-xs text-muted" />
          <span>{alert.origin === "condition" ? "Built-in condition" : "Webhook"}</span>
          {alert.count !== undefined && (
            <span className="text-xs text-muted">
              counter {alert.count - 1} → {alert.count} of {alert.requiredCount}
            </span>
          )}
          {alert.price !== undefined && (
            <span className="text-xs text-muted">close ${groupThousands(String(alert.price))}</span>
          )}
          {alert.because?.map((text) => (
            <span key={text} className="w-full text-xs text-muted">
              {text}
            </span>
          ))}
        </li>
      ))}
    </ol>
  );
}

function RuleDetails({ decision, id }: { readonly decision: Decision; readonly id: string }) {
  const rule = decision.rules.find(({ ruleId }) => ruleId === id);
  if (rule === undefined) {
    return <p className="text-sm text-muted">The counters of this rule are no longer kept.</p>;
  }
  const words = {
    counted: "The alert counted. The rule waits for the rest.",
    full: "The rule has counted enough of this alert and waits for the others.",
    fired: "The alert completed the rule, and its counters started again at zero.",
    reset: "The alert set this rule's counters to zero. They stood as shown.",
  };
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p>
        <strong className="font-semibold">{signalText(rule.action)}</strong> when{" "}
        {countersText(rule.counters)}
      </p>
      <p className="text-muted">{words[rule.kind]}</p>
      <Facts
        facts={rule.counters.map(({ alertId, alertName, count, requiredCount }) => [
          alertName ?? "Deleted alert",
          `${count} of ${requiredCount}`,
          alertId,
        ])}
      />
    </div>
  );
}

function AccountDetails({ decision: { account, price } }: { readonly decision: Decision }) {
  if (account === undefined) return null;
  return (
    <Facts
      facts={[
        ["Free", `$${displayDecimal(account.free, 2)}`],
        ["Worth", `$${displayDecimal(account.worth, 2)}`],
        ["Market price", price === undefined ? "–" : `$${groupThousands(price)}`],
        ...(account.positions.length === 0 ? [["Position", "None"] as const] : []),
        ...account.positions.map(
          ({ market, side, size, entryPrice, pnl }) =>
            [
              `${side === "long" ? "Long" : "Short"} ${market}`,
              <Fragment key={market}>
                {groupThousands(size)}
                {entryPrice === undefined ? (
                  ", cost unknown"
                ) : (
                  <>
                    {` at $${groupThousands(entryPrice)}, `}
                    <Figure value={pnl} prefix="$" toned />
                  </>
                )}
              </Fragment>,
            ] as const,
        ),
      ]}
    />
  );
}

function OrderDetails({ decision: { order, market } }: { readonly decision: Decision }) {
  if (order === undefined) return null;
  const asset = tradedAsset(market);
  const isBuy = order.side === "long";
  return (
    <Facts
      facts={[
        ["Side", `${isBuy ? "Buy" : "Sell"}${order.reduceOnly ? ", closes only" : ""}`],
        ["Decided size", `${groupThousands(order.size)} ${asset}`],
        ["Share of the money", `${order.percentage}%`],
        ["Market price", `$${groupThousands(order.marketPrice)}`],
        ["Slippage allowed", `${order.slippagePercent}%`],
        [
          isBuy ? "Pays at most" : "Takes at least",
          order.worstPrice === undefined ? "–" : `$${groupThousands(order.worstPrice)}`,
        ],
        [
          "Size in the bytes",
          order.sentSize === undefined ? "–" : `${groupThousands(order.sentSize)} ${asset}`,
        ],
      ]}
    />
  );
}

function SentDetails({ decision: { sent }, explorerUrl }: Omit<NodeDetailsProps, "node">) {
  if (sent === undefined) return null;
  return (
    <div className="flex flex-col gap-2">
      <Facts
        facts={[
          ["Bytes", `${sent.bytes}`],
          ["Sent", <Moment key="at" at={sent.at} />],
        ]}
      />
      <p className="flex min-w-0 items-center gap-2 text-xs">
        <span className="text-faint">Signature</span>
        {explorerUrl === null ? (
          <span className="min-w-0 truncate font-mono">{sent.signature}</span>
        ) : (
          <a
            href={explorerUrl(sent.signature)}
            target="_blank"
            rel="noreferrer"
            className="min-w-0 truncate font-mono text-accent-text underline"
          >
            {sent.signature}
          </a>
        )}
        <CopyButton text={sent.signature} label="Copy signature" />
      </p>
    </div>
  );
}

function FillDetails({ decision: { fills, outcome, market } }: { readonly decision: Decision }) {
  const asset = tradedAsset(market);
  return (
    <div className="flex flex-col gap-2">
      <Facts
        facts={[
          ["Size", `${groupThousands(outcome.size ?? "0")} ${asset}`],
          ["Average price", `$${groupThousands(outcome.price ?? "0")}`],
          ["Total", `$${groupThousands(outcome.total ?? "0")}`],
          ["Fee", `$${groupThousands(outcome.fee ?? "0")}`],
        ]}
      />
      {fills.length > 1 && (
        <ol className="text-xs text-muted">
          {fills.map(({ signature, size, total, fee }, at) => (
            <li key={`${signature} ${at}`}>
              {size === "0"
                ? `$${groupThousands(fee)} to the keeper that triggered or ended it`
                : `${groupThousands(size)} ${asset} for $${groupThousands(total)}`}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function OutcomeDetails({ decision }: { readonly decision: Decision }) {
  const { outcome, signal } = decision;
  const todo = outcome.reason === undefined ? null : reasonTodo(outcome.reason, signal);
  const why = outcome.reason === undefined ? outcomeSentence(decision) : reasonWhat(outcome.reason);
  return (
    <div className="flex flex-col gap-2 text-sm">
      {why !== "" && (
        <p>
          {why} {todo !== null && <span className="text-muted">{todo}</span>}
        </p>
      )}
      <Facts
        facts={[
          ["Ended as", outcomeWords(decision).text],
          ["At", <Moment key="at" at={outcome.at} />],
          ...(outcome.pnl === undefined
            ? []
            : [
                [
                  "Profit or loss",
                  <Fragment key="pnl">
                    <Figure value={outcome.pnl} prefix="$" toned />{" "}
                    {outcome.pnlPercent !== undefined && (
                      <>
                        (<Figure value={outcome.pnlPercent} unit="%" toned />)
                      </>
                    )}
                  </Fragment>,
                ] as const,
              ]),
        ]}
      />
    </div>
  );
}

function Moment({ at }: { readonly at: string | undefined }) {
  return at === undefined ? "–" : <TimeText at={at} as="full" />;
}

type Fact = readonly [term: string, value: ReactNode, key?: string];

function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-2 text-sm sm:grid-cols-4">
      {facts.map(([term, value, key]) => (
        <div key={key ?? term} className="min-w-0">
          <dt className="text-2xs text-faint">{term}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type Check = Decision["checks"][number];

/** List of a decision's checks, failed ones first; a bar shows the used share of each limit. */
function CheckList({
  checks,
  asset,
}: {
  readonly checks: readonly Check[];
  readonly asset: string;
}) {
  const shown = checks.toSorted((one, other) => Number(one.hasPassed) - Number(other.hasPassed));
  return (
    <ul className="grid gap-x-8 gap-y-1.5 text-sm sm:grid-cols-2">
      {shown.map((check) => (
        <CheckRow key={check.name} check={check} asset={asset} />
      ))}
    </ul>
  );
}

function CheckRow({ check, asset }: { readonly check: Check; readonly asset: string }) {
  const { name, hasPassed, figure, limit, unit, reason } = check;
  const Icon = hasPassed ? CircleCheck : CircleX;
  return (
    <li className="flex min-w-0 flex-col gap-0.5">
      <span className="flex items-center gap-2">
        <Icon
          aria-label={hasPassed ? "Passed" : "Failed"}
          className={clsx("size-3.5 shrink-0", hasPassed ? "text-up" : "text-down")}
        />
        <span className="min-w-0 truncate">{checkLabel(name)}</span>
        {unit !== undefined && (
          <span className="ml-auto shrink-0 text-xs text-muted tabular-nums">
            {checkFigure(figure, unit, asset)}
            {limit !== undefined && (
              <span className="text-faint"> / {checkFigure(limit, unit, asset)}</span>
            )}
          </span>
        )}
      </span>
      {figure !== undefined && limit !== undefined && (
        <UseBar share={shareOf(figure, limit)} hasPassed={hasPassed} />
      )}
      {!hasPassed && <span className="pl-5.5 text-xs text-down">{reasonWhat(reason)}</span>}
    </li>
  );
}

/** Returns the used share of a limit as a float, for the bar's length only. */
const shareOf = (figure: string, limit: string): number => {
  const most = Number(limit);
  return most <= 0 ? 1 : Math.min(1, Math.max(0, Number(figure) / most));
};

function UseBar({ share, hasPassed }: { readonly share: number; readonly hasPassed: boolean }) {
  return (
    <span aria-hidden className="ml-5.5 block h-0.5 overflow-hidden rounded-full bg-line">
      <span
        className={clsx("block h-full", hasPassed ? "bg-accent" : "bg-down")}
        style={{ width: `${100 * share}%` }}
      />
    </span>
  );
}
