import { beforeEach, expect, it } from "vitest";
import { type SignerBroker, createSignerBroker, type SignerClient } from "./signer-broker.ts";

interface Listener extends SignerClient {
  readonly heard: object[];
}

let trading: Listener;
let web: Listener;
let asked: { id: number; call?: unknown }[];
let isUp: boolean;
let shared: SignerBroker;

beforeEach(() => {
  [asked, isUp] = [[], true];
  trading = listener(true);
  web = listener(false);
  const signer = {
    isUp: () => isUp,
    send: (message: object) => void asked.push(message as never),
  };
  shared = createSignerBroker(signer, [trading, web]);
});

function listener(signsOrders: boolean): Listener {
  const heard: object[] = [];
  return { signsOrders, heard, send: (message) => void heard.push(message) };
}

it("returns each answer to its caller, under the caller's number", () => {
  shared.call(trading, { id: 1, call: { kind: "sign" } });
  shared.call(web, { id: 1, call: { kind: "of" } });
  const [first, second] = asked;
  expect(first?.id).not.toBe(second?.id);
  expect(second?.call).toEqual({ kind: "of" });
  shared.answer({ id: second?.id, value: "theirs" });
  shared.answer({ id: first?.id, value: "ours" });
  shared.answer({ id: first?.id, value: "again" });
  expect(trading.heard).toEqual([{ id: 1, value: "ours" }]);
  expect(web.heard).toEqual([{ id: 1, value: "theirs" }]);
});

it("signs no order for the web process", () => {
  shared.call(web, { id: 4, call: { kind: "sign", agentId: "a" } });
  expect(asked).toEqual([]);
  expect(web.heard).toMatchObject([{ id: 4, error: { kind: "refused" } }]);
});

it("gives no answer to a restarted process, which counts from the beginning", () => {
  shared.call(trading, { id: 1, call: { kind: "sign" } });
  shared.forget(trading);
  shared.answer({ id: asked[0]?.id, value: "of the one that died" });
  expect(trading.heard).toEqual([]);
});

it("notifies every process when the signer stops and returns, and sends it nothing meanwhile", () => {
  isUp = false;
  shared.call(trading, { hello: true });
  shared.call(trading, { id: 1, call: { kind: "of" } });
  expect([asked, trading.heard]).toEqual([[], []]);
  isUp = true;
  shared.tell("up");
  shared.call(web, { hello: true });
  shared.tell("down");
  expect(trading.heard).toEqual([{ signer: "up" }, { signer: "down" }]);
  expect(web.heard).toEqual([{ signer: "up" }, { signer: "up" }, { signer: "down" }]);
});

it("ignores a process that reports a hanging signer, because only heartbeats decide that", () => {
  shared.call(web, { hangs: true });
  expect(asked).toEqual([]);
});

const kinds = () => asked.map(({ call }) => (call as { kind: string }).kind);
const answerNewest = () => shared.answer({ id: asked.at(-1)?.id, value: null });
const askOften = (client: Listener, kind: string, from: number, count = 2_000) => {
  for (let id = from; id < from + count; id += 1) shared.call(client, { id, call: { kind } });
};

it("puts at most one of 2,000 other questions before a signature", () => {
  askOften(web, "isTradingKey", 1);
  shared.call(trading, { id: 1, call: { kind: "sign" } });
  shared.call(trading, { id: 2, call: { kind: "sign" } });
  expect(kinds()).toEqual(["isTradingKey", "sign", "sign"]);
});

it("alternates between processes and kinds of calls, each in order", () => {
  askOften(web, "isTradingKey", 1);
  askOften(web, "made up", 2_001);
  shared.call(web, { id: 5_000, call: { kind: "coSign" } });
  shared.call(trading, { id: 1, call: { kind: "tradingKeyAt" } });
  shared.call(trading, { id: 2, call: { kind: "of" } });
  expect(kinds()).toEqual(["isTradingKey"]);
  for (let turns = 0; turns < 5; turns += 1) answerNewest();
  expect(kinds()).toEqual([
    "isTradingKey",
    "isTradingKey",
    "coSign",
    "tradingKeyAt",
    "isTradingKey",
    "of",
  ]);
  for (let turns = 0; turns < 3_998; turns += 1) answerNewest();
  expect(web.heard.map((heard) => (heard as { id: number }).id).filter((id) => id < 5_000)).toEqual(
    Array.from({ length: 4_000 }, (_, index) => index + 1),
  );
});

it("continues with the others when the next process dies", () => {
  askOften(web, "of", 1);
  shared.call(trading, { id: 1, call: { kind: "of" } });
  shared.forget(web);
  answerNewest();
  answerNewest();
  expect(trading.heard).toEqual([{ id: 1, value: null }]);
  expect(web.heard).toEqual([]);
  expect(asked).toHaveLength(2);
});

it("repeats its questions after the signer was restarted", () => {
  askOften(web, "of", 1);
  shared.tell("down");
  shared.tell("up");
  shared.call(trading, { id: 1, call: { kind: "of" } });
  expect(asked).toHaveLength(2);
});

it("refuses calls of one process beyond 10,000 waiting ones of a kind", () => {
  askOften(web, "of", 1, 10_002);
  expect(web.heard).toMatchObject([{ id: 10_002, error: { kind: "unavailable" } }]);
});
