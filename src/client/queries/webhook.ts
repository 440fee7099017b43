import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ResponseOf } from "../../contract/route.ts";
import { getWebhook, rotateWebhook } from "../../contract/agent-webhook.ts";
import type { AgentId } from "../../domain/ids.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Webhook address, token and message of an agent, with the number of alerts that used the replaced token. */
export type Webhook = ResponseOf<typeof getWebhook>;

export const webhookQuery = (address: SignedInWallet, agentId: AgentId | "") =>
  queryOptions({
    queryKey: keysOf(address).webhook(agentId),
    queryFn: () => call(getWebhook, { params: { botId: agentId } }),
    enabled: address !== "" && agentId !== "",
    staleTime: 30_000,
  });

export function useRotateWebhook(address: SignedInWallet) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (agentId: AgentId) => call(rotateWebhook, { params: { botId: agentId } }),
    onSuccess: (webhook, agentId) => client.setQueryData(keysOf(address).webhook(agentId), webhook),
  });
}
