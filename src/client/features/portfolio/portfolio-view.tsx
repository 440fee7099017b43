import { useQuery } from "@tanstack/react-query";
import { PieChart } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { ChatId } from "../../../domain/ids.ts";
import { RANGES, type Range } from "../../../domain/performance/range.ts";
import { describeProblem } from "../../lib/problem.ts";
import { portfolioQuery } from "../../queries/portfolio.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { NetworkPortfolio } from "./network-portfolio.tsx";
import { StopAll } from "./stop-all.tsx";
import type { SignedInWallet } from "../../lib/session.ts";
import { StaleNote } from "../../ui/stale-note.tsx";

const LABELS: Readonly<Record<Range, string>> = {
  "7d": "7 d",
  "30d": "30 d",
  "90d": "90 d",
  "1y": "1 y",
  all: "All",
};

interface PortfolioViewProps {
  /** Signed-in wallet, empty when nobody is signed in. */
  readonly address: SignedInWallet;
  readonly onOpen: (chatId: ChatId) => void;
  /** Export action; absent when not available. */
  readonly actions?: ReactNode;
}

/** Portfolio of all agents of a wallet. */
export function PortfolioView({ address, onOpen, actions }: PortfolioViewProps) {
  const [range, setRange] = useState<Range>("30d");
  const read = useQuery(portfolioQuery(address, range));
  if (address === "") {
    return (
      <EmptyState icon={<PieChart />} title="Your portfolio">
        Once you are signed in, everything your agents hold and made is shown here.
      </EmptyState>
    );
  }
  if (read.data === undefined) {
    return read.isError ? (
      <EmptyState
        title="Your portfolio could not be read"
        action={<Button onClick={() => void read.refetch()}>Retry</Button>}
      >
        {describeProblem(read.error).message}
      </EmptyState>
    ) : (
      <div className="mx-auto flex w-full max-w-[1200px] flex-col gap-4 p-4">
        <Skeleton className="h-16" />
        <Skeleton className="h-56" />
        <Skeleton className="h-64" />
      </div>
    );
  }
  const networks = read.data.networks.filter(
    ({ agents, deleted }) => agents.length + deleted.length > 0,
  );
  const agents = networks.flatMap((network) => network.agents);
  if (networks.length === 0) {
    return (
      <EmptyState icon={<PieChart />} title="No agents yet">
        What your agents are worth and what they made will be shown here.
      </EmptyState>
    );
  }
  return (
    <div className="mx-auto flex w-full max-w-[1200px] flex-col gap-6 p-4 max-sm:p-3">
      <header className="flex flex-wrap items-center gap-2">
        <h2 className="mr-auto text-base font-semibold">Portfolio</h2>
        {actions}
        <StopAll address={address} agents={agents} />
        <Segments
          label="Span"
          value={range}
          options={RANGES.map((value) => ({ value, label: LABELS[value] }))}
          onChange={setRange}
        />
      </header>
      {read.isError && <StaleNote readAt={read.dataUpdatedAt} />}
      {networks.map((network) => (
        <NetworkPortfolio key={network.network} shown={network} onOpen={onOpen} />
      ))}
    </div>
  );
}
