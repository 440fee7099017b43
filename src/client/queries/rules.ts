import { queryOptions } from "@tanstack/react-query";
import { listRules } from "../../contract/rules.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Signal } from "../../domain/signal.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** A rule of an agent; `count` says how often the alert has fired since the last reset. */
export interface Rule {
  readonly id: string;
  readonly conditions: readonly {
    readonly alertName: string;
    readonly requiredCount: number;
    readonly count: number;
  }[];
  readonly action: Signal;
}

export const rulesQuery = (address: SignedInWallet, agentId: AgentId | "") =>
  queryOptions({
    queryKey: keysOf(address).rules(agentId),
    queryFn: async () =>
      (await call(listRules, { params: { agentId } })).map(({ _id, conditions, action }): Rule => ({
        id: _id,
        conditions,
        action,
      })),
    enabled: address !== "" && agentId !== "",
  });
