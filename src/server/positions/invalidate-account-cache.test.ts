import { expect, it } from "vitest";
import type { StaleNotice } from "../../contract/events.ts";
import { parseAgentId, parseChatId, parseOwner } from "../../domain/ids.ts";
import { keypairFromSeed } from "../../solana/encoding/keys.ts";
import { encodeNotice } from "../push/create-stale-publisher.ts";
import { invalidateAccountCache } from "./invalidate-account-cache.ts";

const owner = parseOwner(keypairFromSeed(new Uint8Array(32).fill(1)).address);
const agentId = parseAgentId("a".repeat(32));

it("invalidates only the reading of the agent whose money or position changed", () => {
  let hear: (word: string) => void = () => {};
  const hints = {
    subscribe(_topic: string, listener: (word: string) => void) {
      hear = listener;
      return () => {};
    },
  };
  const outdated: string[] = [];
  invalidateAccountCache(hints, { outdate: (id) => outdated.push(id) });
  const notices: readonly StaleNotice[] = [
    { topic: "custody", id: agentId },
    { topic: "position", id: agentId },
    { topic: "signals", id: agentId },
    { topic: "messages", id: parseChatId("b".repeat(32)) },
    { topic: "position" },
  ];
  for (const notice of notices) hear(encodeNotice(owner, notice));
  expect(outdated).toEqual([agentId, agentId]);
});
