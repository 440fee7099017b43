import { getPosition } from "../../contract/trade.ts";
import type { AgentId } from "../../domain/ids.ts";
import { keysOf } from "./keys.ts";
import { read } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Poll interval of the header's figures, in milliseconds. */
export const POSITION_POLL_MS = 5000;

export const positionQuery = (address: SignedInWallet, agentId: AgentId | "") => ({
  ...read(keysOf(address).position(agentId), getPosition, agentId && { query: { agentId } }),
  // Polled even while push is connected, because price changes send no notice
  refetchInterval: POSITION_POLL_MS,
});
