import { queryOptions } from "@tanstack/react-query";
import type { Network } from "../../domain/network.ts";
import { getBalances } from "../../contract/wallet.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Balances of the wallet on one network; null means unreadable, not zero. */
export const balancesQuery = (address: SignedInWallet, network: Network) =>
  queryOptions({
    queryKey: keysOf(address).balances(network),
    queryFn: () => call(getBalances, { params: { walletAddress: address }, query: { network } }),
    enabled: address !== "",
    staleTime: 5000,
    refetchInterval: 15_000,
  });
