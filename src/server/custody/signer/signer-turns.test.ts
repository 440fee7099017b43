import { beforeEach, expect, it } from "vitest";
import type { SignerAnswer } from "./signer-calls.ts";
import type { SignerCaller } from "./frames.ts";
import { createSignerTurns, type SignerClient, type SignerTurns } from "./signer-turns.ts";

interface Listener extends SignerClient {
  readonly heard: SignerAnswer[];
}

let trading: Listener;
let web: Listener;
let asked: { id: number; call?: unknown; answer: () => void }[];
let turns: SignerTurns;

beforeEach(() => {
  asked = [];
  [trading, web] = [connection("trading"), connection("web")];
  turns = createSignerTurns(
    (message) =>
      new Promise((resolve) =>
        asked.push({ ...message, answer: () => resolve({ id: message.id, value: null }) }),
      ),
  );
});

function connection(caller: SignerCaller): Listener {
  const heard: SignerAnswer[] = [];
  return { caller, heard, send: (message) => void heard.push(message) };
}

const kinds = () => asked.map(({ call }) => (call as { kind: string }).kind);
/** Answers the newest call and lets the next one have its turn. */
const answerNewest = async () => {
  asked.at(-1)?.answer();
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
};
const askOften = (client: Listener, kind: string, from: number, count = 2_000) => {
  for (let id = from; id < from + count; id += 1) turns.call(client, { id, call: { kind } });
};

it("signs no order for the web process", () => {
  turns.call(web, { id: 4, call: { kind: "sign", agentId: "a" } });
  expect(asked).toEqual([]);
  expect(web.heard).toMatchObject([{ id: 4, error: { kind: "refused" } }]);
});

it("gives no answer to a connection that ended, and answers the caller's next one", async () => {
  turns.call(trading, { id: 1, call: { kind: "sign" } });
  turns.call(trading, { id: 2, call: { kind: "of" } });
  turns.call(trading, { id: 3, call: { kind: "of" } });
  turns.forget(trading);
  const next = connection("trading");
  turns.call(next, { id: 1, call: { kind: "sign" } });
  asked[0]?.answer();
  asked[1]?.answer();
  await answerNewest();
  expect(trading.heard).toEqual([]);
  expect(next.heard).toEqual([{ id: 1, value: null }]);
  expect(kinds()).toEqual(["sign", "of", "sign"]);
});

it("puts at most one of 2,000 other questions before a signature", () => {
  askOften(web, "isTradingKey", 1);
  turns.call(trading, { id: 1, call: { kind: "sign" } });
  turns.call(trading, { id: 2, call: { kind: "sign" } });
  expect(kinds()).toEqual(["isTradingKey", "sign", "sign"]);
});

it("alternates between callers and kinds of calls, each in order", async () => {
  askOften(web, "isTradingKey", 1, 1_000);
  askOften(web, "made up", 1_001, 1_000);
  turns.call(web, { id: 5_000, call: { kind: "coSign" } });
  turns.call(trading, { id: 1, call: { kind: "tradingKeyAt" } });
  turns.call(trading, { id: 2, call: { kind: "of" } });
  expect(kinds()).toEqual(["isTradingKey"]);
  for (let turn = 0; turn < 5; turn += 1) await answerNewest();
  expect(kinds()).toEqual([
    "isTradingKey",
    "isTradingKey",
    "coSign",
    "tradingKeyAt",
    "isTradingKey",
    "of",
  ]);
  for (let turn = 0; turn < 1_998; turn += 1) await answerNewest();
  expect(web.heard.map(({ id }) => id).filter((id) => id < 5_000)).toEqual(
    Array.from({ length: 2_000 }, (_, index) => index + 1),
  );
});

it("gives a caller with many connections no more turns", async () => {
  for (let id = 1; id <= 16; id += 1) {
    const many = connection("web");
    askOften(many, "of", 1, 100);
  }
  turns.call(trading, { id: 1, call: { kind: "of" } });
  for (let turn = 0; turn < 3; turn += 1) await answerNewest();
  expect(trading.heard).toEqual([{ id: 1, value: null }]);
});

it("continues with the others when a connection ends", async () => {
  askOften(web, "of", 1);
  turns.call(trading, { id: 1, call: { kind: "of" } });
  turns.forget(web);
  await answerNewest();
  await answerNewest();
  expect(trading.heard).toEqual([{ id: 1, value: null }]);
  expect(web.heard).toEqual([]);
  expect(asked).toHaveLength(2);
});

it.each(["of", "sign"])("refuses calls of a caller beyond 10,000 waiting of %s", (kind) => {
  askOften(trading, kind, 1, 10_002);
  const refused = trading.heard.map(({ id }) => id);
  // The first question has its turn and does not wait
  expect(refused).toEqual(kind === "of" ? [10_002] : [10_001, 10_002]);
  expect(trading.heard).toMatchObject(
    refused.map((id) => ({ id, error: { kind: "unavailable" } })),
  );
});
