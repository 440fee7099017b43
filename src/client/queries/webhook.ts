import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ResponseOf } from "../../contract/route.ts";
import { getWebhook, rotateWebhook } from "../../contract/agent-webhook.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";

/** Webhook address, token and message of an agent, with the number of alerts that used the replaced token. */
export type Webhook = ResponseOf<typeof getWebhook>;

export const webhookQuery = (address: string, agentId: string) =>
  queryOptions({
    queryKey: keysOf(address).webhook(agentId),
    queryFn: () => call(getWebhook, { params: { botId: agentId } }),
    enabled: address !== "" && agentId !== "",
    staleTime: 30_000,
  });

export function useRotateWebhook(address: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (agentId: string) => call(rotateWebhook, { params: { botId: agentId } }),
    onSuccess: (webhook, agentId) => client.setQueryData(keysOf(address).webhook(agentId), webhook),
  });
}
