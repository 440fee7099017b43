import { queryOptions } from "@tanstack/react-query";
import type { AlertCondition } from "../../domain/condition/condition.ts";
import { listAlerts } from "../../contract/alerts.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";

/** An alert an agent knows. */
export interface Alert {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Without one the alert comes from outside only. */
  readonly condition?: AlertCondition;
}

export const alertsQuery = (address: string, agentId: string) =>
  queryOptions({
    queryKey: keysOf(address).alerts(agentId),
    queryFn: async () =>
      (await call(listAlerts, { params: { agentId } })).map(({ _id, ...alike }): Alert => ({
        ...alike,
        id: _id,
      })),
    enabled: address !== "" && agentId !== "",
  });
