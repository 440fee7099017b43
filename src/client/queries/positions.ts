import { queryOptions } from "@tanstack/react-query";
import type * as z from "zod/mini";
import type { ResponseOf } from "../../contract/route.ts";
import { getPosition, getUserActivity, listUserPositions } from "../../contract/trade.ts";
import type { positionSummary } from "../../contract/trade.ts";
import type { AgentId } from "../../domain/ids.ts";
import { call } from "../lib/api.ts";
import { pollUnlessLive } from "../lib/live.ts";
import { keysOf } from "./keys.ts";
import type { SignedInWallet } from "../lib/session.ts";

export type PositionSummary = z.infer<typeof positionSummary>;

/** Poll interval of the header's figures, in milliseconds. */
export const POSITION_POLL_MS = 5000;

/** Poll interval of the chart's position line, in milliseconds. */
export const CHART_POLL_MS = 10_000;

export const positionQuery = (address: SignedInWallet, agentId: AgentId | "") =>
  queryOptions({
    queryKey: keysOf(address).position(agentId),
    queryFn: async () => (await call(getPosition, { query: { agentId } })).response,
    enabled: address !== "" && agentId !== "",
    // Polled even while push is connected, because price changes send no notice
    refetchInterval: POSITION_POLL_MS,
  });

const toPosition = ({
  botId,
  agentName,
  ...alike
}: ResponseOf<typeof listUserPositions>["positions"][number]) => ({
  ...alike,
  agentId: botId,
  agent: agentName,
});

export const userPositionsQuery = (address: SignedInWallet) =>
  queryOptions({
    queryKey: keysOf(address).userPositions,
    queryFn: async () => {
      const { positions, unavailable } = await call(listUserPositions, {
        query: { pubkey: address },
      });
      return { positions: positions.map(toPosition), unavailable };
    },
    enabled: address !== "",
    refetchInterval: pollUnlessLive(CHART_POLL_MS),
  });

const toActivity = ({
  botId,
  agentName,
  venue,
  orders,
}: ResponseOf<typeof getUserActivity>["agents"][number]) => ({
  id: botId,
  name: agentName,
  venue,
  fills: orders.map((order) => ({
    market: order.symbol,
    side: order.takerOrderDirection,
    size: order.baseAssetAmountFilled,
    at: order.ts,
    signature: order.txSig,
  })),
});

export const activityQuery = (address: SignedInWallet) =>
  queryOptions({
    queryKey: keysOf(address).activity,
    queryFn: async () =>
      (await call(getUserActivity, { query: { pubkey: address } })).agents.map(toActivity),
    enabled: address !== "",
  });
