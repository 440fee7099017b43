import { getBalances } from "../../contract/wallet.ts";
import type { Network } from "../../domain/network.ts";
import { keysOf } from "./keys.ts";
import { read } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Balances of the wallet on one network; null means unreadable, not zero. */
export const balancesQuery = (address: SignedInWallet, network: Network) => ({
  ...read(
    keysOf(address).balances(network),
    getBalances,
    address && { params: { walletAddress: address }, query: { network } },
  ),
  staleTime: 5000,
  refetchInterval: 15_000,
});
