import { queryOptions } from "@tanstack/react-query";
import type { ResponseOf } from "../../contract/route.ts";
import { getPortfolio } from "../../contract/portfolio.ts";
import type { Range } from "../../domain/performance/range.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";
import type { SignedInWallet } from "../lib/session.ts";

type WirePortfolio = ResponseOf<typeof getPortfolio>;
type WireNetwork = WirePortfolio["networks"][number];

const toAgent = ({ botId, agentName, assetPair, ...alike }: WireNetwork["agents"][number]) => ({
  ...alike,
  id: botId,
  name: agentName,
  marketId: assetPair,
});

const toDeleted = ({ botId, agentName, assetPair, ...alike }: WireNetwork["deleted"][number]) => ({
  ...alike,
  id: botId,
  name: agentName,
  marketId: assetPair,
});

const toFlow = ({ botId, ...alike }: WireNetwork["flows"][number]) => ({
  ...alike,
  agentId: botId,
});

const toPortfolio = ({ networks, ...alike }: WirePortfolio) => ({
  ...alike,
  networks: networks.map(({ agents, deleted, flows, ...network }) => ({
    ...network,
    agents: agents.map(toAgent),
    deleted: deleted.map(toDeleted),
    flows: flows.map(toFlow),
  })),
});

export type Portfolio = ReturnType<typeof toPortfolio>;

/** Poll interval in milliseconds; price changes send no notice. */
const POLL_MS = 15_000;

/** Portfolio of a wallet's agents. The previous range's answer is kept while another one loads. */
export const portfolioQuery = (address: SignedInWallet, range: Range) =>
  queryOptions({
    queryKey: [...keysOf(address).portfolio, range],
    queryFn: async () =>
      toPortfolio(
        await call(getPortfolio, { params: { walletAddress: address }, query: { range } }),
      ),
    enabled: address !== "",
    placeholderData: (previous: Portfolio | undefined, query) =>
      query?.queryKey.includes(address) === true ? previous : undefined,
    refetchInterval: POLL_MS,
  });
