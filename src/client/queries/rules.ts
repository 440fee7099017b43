import { queryOptions } from "@tanstack/react-query";
import type * as z from "zod/mini";
import { listRules } from "../../contract/rules.ts";
import type { rule } from "../../contract/rules.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";

export type Rule = z.infer<typeof rule>;

export const rulesQuery = (address: string, agentId: string) =>
  queryOptions({
    queryKey: keysOf(address).rules(agentId),
    queryFn: () => call(listRules, { params: { agentId } }),
    enabled: address !== "" && agentId !== "",
  });
