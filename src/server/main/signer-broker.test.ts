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

it("gives the answer to the one who asked, under the number it asked with", () => {
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

it("has no order signed for the process that answers the internet", () => {
  shared.call(web, { id: 4, call: { kind: "sign", agentId: "a" } });
  expect(asked).toEqual([]);
  expect(web.heard).toMatchObject([{ id: 4, error: { kind: "refused" } }]);
});

it("gives nothing to a process that did not ask: the next one counts from the beginning", () => {
  shared.call(trading, { id: 1, call: { kind: "sign" } });
  shared.forget(trading);
  shared.answer({ id: asked[0]?.id, value: "of the one that died" });
  expect(trading.heard).toEqual([]);
});

it("tells everybody when the signer comes and goes, and asks it nothing meanwhile", () => {
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

it("asks nothing and ends nothing when a process says that the signer hangs: only beats tell that", () => {
  shared.call(web, { hangs: true });
  expect(asked).toEqual([]);
});

const kinds = () => asked.map(({ call }) => (call as { kind: string }).kind);
const answerNewest = () => shared.answer({ id: asked.at(-1)?.id, value: null });
const askOften = (client: Listener, kind: string, from: number, count = 2_000) => {
  for (let id = from; id < from + count; id += 1) shared.call(client, { id, call: { kind } });
};

it("lets at most one of 2,000 questions stand before a signature", () => {
  askOften(web, "isTradingKey", 1);
  shared.call(trading, { id: 1, call: { kind: "sign" } });
  shared.call(trading, { id: 2, call: { kind: "sign" } });
  expect(kinds()).toEqual(["isTradingKey", "sign", "sign"]);
});

it("takes turns between processes and kinds of calls, each in its order", () => {
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

it("goes on with the others when the process whose turn it is dies", () => {
  askOften(web, "of", 1);
  shared.call(trading, { id: 1, call: { kind: "of" } });
  shared.forget(web);
  answerNewest();
  answerNewest();
  expect(trading.heard).toEqual([{ id: 1, value: null }]);
  expect(web.heard).toEqual([]);
  expect(asked).toHaveLength(2);
});

it("asks anew after the signer was started again", () => {
  askOften(web, "of", 1);
  shared.tell("down");
  shared.tell("up");
  shared.call(trading, { id: 1, call: { kind: "of" } });
  expect(asked).toHaveLength(2);
});

it("refuses what one process asks beyond 10,000 waiting calls of a kind", () => {
  askOften(web, "of", 1, 10_002);
  expect(web.heard).toMatchObject([{ id: 10_002, error: { kind: "unavailable" } }]);
});
