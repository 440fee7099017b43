import { useQuery } from "@tanstack/react-query";
import { Network } from "lucide-react";
import type { ReactNode } from "react";
import type { ChatId } from "../../../domain/ids.ts";
import { reasonTodo, reasonWhat } from "../../../domain/reasons.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { groupThousands } from "../../lib/format.ts";
import { tradeDetailsQuery } from "../../queries/trade-log.ts";
import { Button } from "../../ui/button.tsx";
import { Figure } from "../../ui/figure.tsx";
import type { TradeLogEntry } from "../../queries/trade-log.ts";
import type { SignedInWallet } from "../../lib/session.ts";

interface TradeDetailsProps {
  readonly address: SignedInWallet;
  readonly chatId: ChatId | "";
  readonly entry: TradeLogEntry;
  readonly proof: ReactNode;
  /** Opens the decision graph of the entry. */
  readonly onShowDecision: () => void;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Returns slippage against the market price at the decision, for instance `0.12% worse`. */
function slippageText(slippage: string): string {
  const size = slippage.replace("-", "");
  if (!/[1-9]/.test(size)) return "0.00%";
  return `${size}% ${slippage.startsWith("-") ? "better" : "worse"}`;
}

/** Details of an entry: price, fee, P&L, slippage, latency from alert to fill, signature and reason. */
export function TradeDetails(props: TradeDetailsProps) {
  const { address, chatId, entry, proof, onShowDecision } = props;
  const { data, isError, refetch } = useQuery(tradeDetailsQuery(address, chatId, entry.id));
  const times = useTimes();
  const todo = entry.reason === undefined ? null : reasonTodo(entry.reason, entry.signal);
  const isFilled = entry.status === "success";
  return (
    <div className="flex flex-col gap-2">
      {entry.reason !== undefined && (
        <p className="text-xs">
          {reasonWhat(entry.reason)} {todo !== null && <span className="text-muted">{todo}</span>}
        </p>
      )}
      {isError && (
        <p className="flex items-center gap-2 text-xs text-warn">
          The details could not be loaded.
          <Button size="small" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      )}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-1.5 text-xs md:grid-cols-4">
        <Detail term="Price">
          <Exact prefix="$" text={entry.price} />
        </Detail>
        <Detail term="Market price" title="When the order was decided">
          <Exact prefix="$" text={data?.marketPrice} />
        </Detail>
        <Detail term="Slippage">
          {data?.slippage === undefined ? "–" : slippageText(data.slippage)}
        </Detail>
        <Detail term="Fee">
          <Exact prefix="$" text={entry.fee} />
        </Detail>
        <Detail term="Total">{isFilled ? <Exact prefix="$" text={entry.total} /> : "–"}</Detail>
        <Detail term="P&L" title="What the closing earned, fees of both sides counted, funding not">
          {data?.pnl === undefined ? (
            <span className="text-faint">{isOpening(entry) ? "Known when it is closed" : "–"}</span>
          ) : (
            <>
              <Figure value={data.pnl} prefix="$" toned />
              {data.pnlPercent !== undefined && (
                <>
                  {" "}
                  (<Figure value={data.pnlPercent} unit="%" toned />)
                </>
              )}
            </>
          )}
        </Detail>
        <Detail
          term="Alert to fill"
          {...(data?.alertAt !== undefined && { title: `Alert at ${times.full(data.alertAt)}` })}
        >
          {data?.fillMs === undefined ? "–" : seconds(data.fillMs)}
        </Detail>
        <Detail term="Signature">
          {entry.signature === undefined ? (
            "–"
          ) : (
            <span className="flex min-w-0 items-center gap-1">
              <span className="truncate font-mono" title={entry.signature}>
                {entry.signature}
              </span>
              {proof}
            </span>
          )}
        </Detail>
      </dl>
      <Button size="small" className="self-start" onClick={onShowDecision}>
        <Network aria-hidden />
        Why this trade
      </Button>
    </div>
  );
}

/** Returns whether an entry opens a position; when a position is reversed, the closing half has the opening's signal. */
const isOpening = ({ status, signal, side }: TradeLogEntry): boolean =>
  status === "success" && signal.startsWith("OPEN_") && side !== "sell";

function Exact({ prefix, text }: { readonly prefix: string; readonly text: string | undefined }) {
  return text === undefined ? "–" : `${prefix}${groupThousands(text)}`;
}

interface DetailProps {
  readonly term: string;
  readonly title?: string;
  readonly children: ReactNode;
}

function Detail({ term, title, children }: DetailProps) {
  return (
    <div className="min-w-0">
      <dt className="text-2xs text-faint" title={title}>
        {term}
      </dt>
      <dd className="truncate">{children}</dd>
    </div>
  );
}
