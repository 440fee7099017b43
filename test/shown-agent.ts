import type { Agent } from "../src/client/queries/agent.ts";
import type { agent } from "../src/contract/agent.ts";
import { parseAgentId, parseChatId, parseOwner } from "../src/domain/ids.ts";
import type * as z from "zod/mini";

interface Changes extends Partial<Omit<Agent, "id" | "chatId" | "owner">> {
  readonly id?: string;
  readonly chatId?: string;
  readonly owner?: string;
}

/** An agent as the page has it: on practice, off, without custody, traded through Drift's SOL-PERP. */
export const buildAgent = ({
  id = "a".repeat(32),
  chatId = "c".repeat(32),
  owner = "A77ytVV59RYYKW9U97puqc8h5MBUxEKjsSe5zPEDWqFo",
  ...changes
}: Changes = {}): Agent => ({
  id: parseAgentId(id),
  chatId: parseChatId(chatId),
  owner: parseOwner(owner),
  name: "Agent ** SOL-1h",
  marketId: "SOL-PERP",
  interval: "1h",
  venue: "drift",
  network: "practice",
  autoTrade: "off",
  slippagePercent: 0.5,
  positionSizePercent: 100,
  maxSignalAgeSeconds: 300,
  isFunded: false,
  writesHypotheses: false,
  buyReportPrompt: "",
  sellReportPrompt: "",
  updatedAt: "2026-11-22T00:00:00.000Z",
  ...changes,
});

const SOMEBODY = "So11111111111111111111111111111111111111112";

/** An agent as the server answers it. */
export const answeredAgent = ({
  id,
  name,
  marketId,
  owner,
  autoTrade,
  slippagePercent,
  isFunded,
  custody,
  writesHypotheses,
  trading,
  nearLimits,
  limits,
  closedByStop,
  ...alike
}: Agent): z.infer<typeof agent> => ({
  ...alike,
  botId: id,
  agentName: name,
  assetPair: marketId,
  pubkey: owner,
  tradingStatus: autoTrade === "off" ? "off" : "on",
  stopping: autoTrade === "stopping",
  slippageTolerance: slippagePercent,
  ...(isFunded ? { number: 0 } : {}),
  ...(custody && {
    squadsMultisig: {
      multisigPda: SOMEBODY,
      vaultPda: SOMEBODY,
      vaultIndex: 0,
      members: [owner],
      threshold: 1,
      status: custody.status,
      venueConfig: { delegate: SOMEBODY, delegated: custody.hasTradingKey },
      createdAt: "2026-11-22T00:00:00.000Z",
      spendingLimitConfigured: false,
    },
  }),
  hypothesisStatus: writesHypotheses ? "on" : "off",
  ...(trading && { trading }),
  ...(nearLimits && { nearLimits: [...nearLimits] }),
  ...(limits && { limits }),
  ...(closedByStop && { closedByStop }),
});
