import { useQueryClient } from "@tanstack/react-query";
import { getWebhook, rotateWebhook } from "../../contract/agent-webhook.ts";
import type { ResponseOf } from "../../contract/route.ts";
import type { AgentId } from "../../domain/ids.ts";
import { keysOf } from "./keys.ts";
import { read, useChange } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Webhook address, token and message of an agent, with the number of alerts that used the replaced token. */
export type Webhook = ResponseOf<typeof getWebhook>;

export const webhookQuery = (address: SignedInWallet, agentId: AgentId | "") => ({
  ...read(keysOf(address).webhook(agentId), getWebhook, agentId && { params: { agentId } }),
  staleTime: 30_000,
});

export function useRotateWebhook(address: SignedInWallet) {
  const client = useQueryClient();
  return useChange(rotateWebhook, {
    onSuccess: (webhook, { params }) =>
      client.setQueryData(keysOf(address).webhook(params.agentId), webhook),
  });
}
