import type { Agent } from "../src/contract/agent.ts";

/** An agent as the page gets it: on practice, off, without custody, traded through Drift's SOL-PERP. */
export const buildAgent = (changes: Partial<Agent> = {}): Agent => ({
  botId: "a".repeat(32),
  chatId: "c".repeat(32),
  agentName: "Agent ** SOL-1h",
  assetPair: "SOL-PERP",
  interval: "1h",
  venue: "drift",
  network: "practice",
  pubkey: "A77ytVV59RYYKW9U97puqc8h5MBUxEKjsSe5zPEDWqFo",
  tradingStatus: "off",
  stopping: false,
  slippageTolerance: 0.5,
  positionSizePercent: 100,
  maxSignalAgeSeconds: 300,
  hypothesisStatus: "off",
  buyReportPrompt: "",
  sellReportPrompt: "",
  updatedAt: "2026-11-22T00:00:00.000Z",
  ...changes,
});
