import type { ChatId } from "../../../domain/ids.ts";
import { useTimes } from "../../lib/time-zone.ts";
import type { Portfolio } from "../../queries/portfolio.ts";
import { Card } from "../../ui/card.tsx";
import { Figure } from "../../ui/figure.tsx";
import { AgentTable } from "./agent-table.tsx";
import { List, Row } from "./list.tsx";
import { PendingList } from "./pending-list.tsx";
import { PortfolioHeadlines } from "./portfolio-headlines.tsx";
import { ValueCard } from "./value-card.tsx";

type Network = Portfolio["networks"][number];

interface NetworkPortfolioProps {
  readonly shown: Network;
  readonly onOpen: (chatId: ChatId) => void;
}

/** Portfolio of a wallet on one network. */
export function NetworkPortfolio({ shown, onOpen }: NetworkPortfolioProps) {
  return (
    <section aria-label={`Portfolio on ${shown.network}`} className="flex flex-col gap-4">
      <PortfolioHeadlines shown={shown} />
      <ValueCard curve={shown.curve} />
      <Card aria-label="Agents">
        <AgentTable agents={shown.agents} deleted={shown.deleted} onOpen={onOpen} />
      </Card>
      {shown.pendingCount > 0 && <PendingList shown={shown} />}
      <div className="grid gap-4 md:grid-cols-3">
        <ExposureList exposure={shown.exposure} />
        <WalletList wallet={shown.wallet} quoteSymbol={shown.quote.symbol} />
        <FlowList flows={shown.flows} unbooked={shown.unbooked} />
      </div>
    </section>
  );
}

function ExposureList({ exposure }: Pick<Network, "exposure">) {
  return (
    <List title="Exposure" empty="Nothing is open.">
      {exposure.map(({ asset, long, short }) => (
        <Row key={asset} name={asset}>
          <span className="whitespace-nowrap text-up">
            long <Figure value={long} />
          </span>{" "}
          <span className="whitespace-nowrap text-down">
            short <Figure value={short} />
          </span>
        </Row>
      ))}
    </List>
  );
}

interface WalletListProps extends Pick<Network, "wallet"> {
  readonly quoteSymbol: string;
}

function WalletList({ wallet, quoteSymbol }: WalletListProps) {
  return (
    <List
      title="In your wallet"
      empty={wallet === null ? "The chain could not be read." : "Nothing."}
    >
      {wallet !== null && (
        <>
          <Row name="SOL">
            <Figure value={wallet.sol} decimals={4} />
          </Row>
          <Row name={quoteSymbol}>
            <Figure value={wallet.quote} />
          </Row>
          {wallet.assets.map(({ symbol, amount }) => (
            <Row key={symbol} name={symbol}>
              <Figure value={amount} decimals={4} />
            </Row>
          ))}
        </>
      )}
    </List>
  );
}

const FLOWS = { deposit: "Deposit", withdrawal: "Withdrawal", outside: "Outside" } as const;

function FlowList({ flows, unbooked }: Pick<Network, "flows" | "unbooked">) {
  const times = useTimes();
  const empty =
    unbooked > 0
      ? "Money is on its way. It is listed here once its transaction is final on the chain."
      : "Nothing came in or went out yet.";
  return (
    <List title="Money in and out" empty={empty}>
      {flows.slice(0, 8).map((flow, at) => (
        <Row key={`${flow.at} ${flow.agentId} ${at}`} name={times.short(flow.at)}>
          <span className="text-faint">{FLOWS[flow.kind]}</span>{" "}
          <Figure value={flow.amount} signed unit={` ${flow.asset}`} />
        </Row>
      ))}
    </List>
  );
}
