import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "./root.mjs";
import { wireNames } from "./wire-names.mjs";

let tree: string;

const CONTRACT = ["agent.ts", "trade.ts", "trade-log.ts", "hypotheses.ts"]
  .map((file) => readFileSync(join(root, "src/contract", file), "utf8"))
  .join("\n");

const FILES: Readonly<Record<string, string>> = {
  "src/contract/agent.ts": CONTRACT,
  "src/client/features/chats/chat-row.tsx": "const a = 1;\nreturn <li key={chat._id} />;",
  "src/client/features/chats/chat-row.test.tsx": "chat._id",
  "src/client/queries/chats.ts": "({ _id }) => ({ id: _id })",
  "src/domain/agent-draft.ts": "readonly assetPair: string;",
  "src/server/agents/save-agent.ts": "draft.agentNameKey;\nsub_id;\ndraft.agentName;",
  "src/server/agents/present-agent.ts": "botId: agent.id,",
  "src/server/agents/wire-draft.ts": "({ botId }) => botId",
  "src/server/routes/agents.ts": "params.botId",
  "src/venues/drift/layout.ts": '["pubkey", addressCodec]',
};

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), "wheelhouse-wire-names-"));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
});

afterAll(() => rmSync(tree, { recursive: true }));

describe("names of the wire outside of where it is read and written", () => {
  it("are found as whole words, and left alone where they belong", () => {
    expect(wireNames(tree)).toEqual([
      "src/client/features/chats/chat-row.tsx:2: return <li key={chat._id} />;",
      "src/domain/agent-draft.ts:1: readonly assetPair: string;",
      "src/server/agents/save-agent.ts:3: draft.agentName;",
    ]);
  });

  it("are none", () => {
    expect(wireNames(root)).toEqual([]);
  });

  it("are not called none where the wire has them no more", () => {
    writeFileSync(join(tree, "src/contract/agent.ts"), CONTRACT.replaceAll("botId", "agentId"));
    expect(() => wireNames(tree)).toThrow("botId: not in src/contract");
  });
});
