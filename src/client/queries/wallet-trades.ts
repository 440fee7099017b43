import { getUserActivity, listUserPositions } from "../../contract/wallet-trades.ts";
import { pollUnlessLive } from "../lib/live.ts";
import { keysOf } from "./keys.ts";
import { read } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Poll interval of the chart's position line, in milliseconds. */
export const CHART_POLL_MS = 10_000;

export const userPositionsQuery = (address: SignedInWallet) => ({
  ...read(
    keysOf(address).userPositions,
    listUserPositions,
    address && { query: { owner: address } },
  ),
  refetchInterval: pollUnlessLive(CHART_POLL_MS),
});

export const activityQuery = (address: SignedInWallet) =>
  read(keysOf(address).activity, getUserActivity, address && { query: { owner: address } });
