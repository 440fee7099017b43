import { queryOptions } from "@tanstack/react-query";
import type * as z from "zod/mini";
import type { alert } from "../../contract/alerts.ts";
import { listAlerts } from "../../contract/alerts.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";

export type Alert = z.infer<typeof alert>;

export const alertsQuery = (address: string, agentId: string) =>
  queryOptions({
    queryKey: keysOf(address).alerts(agentId),
    queryFn: () => call(listAlerts, { params: { agentId } }),
    enabled: address !== "" && agentId !== "",
  });
