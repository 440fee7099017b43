import { useQueryClient } from "@tanstack/react-query";
import { useFaucet as useFaucetRoute } from "../../contract/practice.ts";
import { keysOf } from "./keys.ts";
import { useChange } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Amounts one faucet request gives, in whole units. */
export const FAUCET_GIFT = { sol: "10", usdc: "10000" } as const;

export function useFaucet(address: SignedInWallet) {
  const client = useQueryClient();
  return useChange(useFaucetRoute, {
    onSuccess: () => client.invalidateQueries({ queryKey: keysOf(address).allBalances }),
  });
}
