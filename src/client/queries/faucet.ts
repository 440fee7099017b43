import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useFaucet as useFaucetRoute } from "../../contract/practice.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Amounts one faucet request gives, in whole units. */
export const FAUCET_GIFT = { sol: "10", usdc: "10000" } as const;

export function useFaucet(address: SignedInWallet) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(useFaucetRoute, { body: FAUCET_GIFT }),
    onSuccess: () => client.invalidateQueries({ queryKey: keysOf(address).allBalances }),
  });
}
