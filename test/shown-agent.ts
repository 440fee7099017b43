import * as z from "zod/mini";
import { type Agent, agent, type Custody } from "../src/contract/agent.ts";
import { parseAgentId, parseChatId, parseOwner } from "../src/domain/ids.ts";

export interface AgentChanges extends Partial<
  Omit<Agent, "id" | "chatId" | "owner" | "subAccountId" | "custody">
> {
  readonly id?: string;
  readonly chatId?: string;
  readonly owner?: string;
  /** Whether the first deposit created its trading account. */
  readonly isFunded?: boolean;
  readonly custody?: { readonly status?: Custody["status"]; readonly hasTradingKey?: boolean };
}

const SOMEBODY = "So11111111111111111111111111111111111111112";

/** An agent as the page has it: on practice, off, without custody, traded through Drift's SOL-PERP. */
export const buildAgent = ({
  id = "a".repeat(32),
  chatId = "c".repeat(32),
  owner = "A77ytVV59RYYKW9U97puqc8h5MBUxEKjsSe5zPEDWqFo",
  isFunded = false,
  custody,
  ...changes
}: AgentChanges = {}): Agent => ({
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
  ...(isFunded && { subAccountId: 0 }),
  ...(custody && {
    custody: {
      multisig: SOMEBODY,
      vault: SOMEBODY,
      vaultIndex: 0,
      members: [owner],
      threshold: 1,
      status: "active",
      createdAt: "2026-11-22T00:00:00.000Z",
      hasLimits: false,
      tradingKey: { address: SOMEBODY, isAuthorised: custody.hasTradingKey === true },
      ...(custody.status && { status: custody.status }),
    },
  }),
  writesHypotheses: false,
  buyReportPrompt: "",
  sellReportPrompt: "",
  updatedAt: "2026-11-22T00:00:00.000Z",
  ...changes,
});

/** An agent as the server answers it. */
export const answeredAgent = (shown: Agent): z.input<typeof agent> => z.encode(agent, shown);
