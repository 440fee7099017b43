import { describe, expect, it } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import { createCustodyKeys } from "./custody-keys.ts";

const secretOf = (fill: number) => new Uint8Array(32).fill(fill);
const AGENT = agentIdOf("0");

describe("the keys of a deployment", () => {
  it("derive from the secret alone, one set per agent", () => {
    const [one, again, other] = [1, 1, 2].map((fill) => createCustodyKeys(secretOf(fill)));
    expect(one?.of(AGENT)).toEqual(again?.of(AGENT));
    expect(one?.feePayer).toEqual(again?.feePayer);
    const addresses = [one?.of(AGENT), one?.of(agentIdOf("1")), other?.of(AGENT)].map(
      (keys) => keys?.tradingKey.address,
    );
    expect(new Set(addresses).size).toBe(3);
  });

  it("allow repeated replacement of an agent's trading key, and recognise each of them", () => {
    const keys = createCustodyKeys(secretOf(1));
    const first = keys.of(AGENT).tradingKey;
    const second = keys.tradingKeyAfter(AGENT, first.address);
    const third = keys.tradingKeyAfter(AGENT, second.address);
    expect(new Set([first.address, second.address, third.address]).size).toBe(3);
    for (const key of [first, second, third]) {
      expect(keys.tradingKeyAt(AGENT, key.address)).toEqual(key);
      expect(keys.isTradingKey(AGENT, key.address)).toBe(true);
    }
    expect(keys.tradingKeyAt(agentIdOf("f"), second.address)).toBeNull();
  });

  it("never sign with a replaced secret, but recognise its accounts", () => {
    const former = createCustodyKeys(secretOf(1));
    const keys = createCustodyKeys(secretOf(2), [secretOf(1)]);
    const { tradingKey, createKey, multisig, vault } = former.of(AGENT);
    expect(keys.tradingKeyAt(AGENT, tradingKey.address)).toBeNull();
    expect(keys.isTradingKey(AGENT, tradingKey.address)).toBe(true);
    expect(keys.custodyOf(AGENT, createKey.address)).toMatchObject({ multisig, vault });
    expect(keys.custodyOf(agentIdOf("f"), createKey.address)).toBeNull();
    expect(keys.tradingKeyAfter(AGENT, tradingKey.address)).toEqual(keys.of(AGENT).tradingKey);
    expect(keys.formerFeePayers).toEqual([former.feePayer]);
  });

  it("are derived once per address", () => {
    const keys = createCustodyKeys(secretOf(1));
    const first = keys.of(AGENT);
    const second = keys.tradingKeyAfter(AGENT, first.tradingKey.address);
    // A key that was derived anew would be equal, and not the same
    expect(keys.tradingKeyAt(AGENT, first.tradingKey.address)).toBe(first.tradingKey);
    expect(keys.tradingKeyAt(AGENT, second.address)).toBe(second);
    expect(keys.tradingKeyAfter(AGENT, first.tradingKey.address)).toBe(second);
    expect(keys.custodyOf(AGENT, first.createKey.address)?.createKey).toBe(first.createKey);
  });

  it("have a limit", () => {
    const keys = createCustodyKeys(secretOf(1));
    let key = keys.of(AGENT).tradingKey;
    expect(() => {
      for (let round = 0; round < 40; round += 1) key = keys.tradingKeyAfter(AGENT, key.address);
    }).toThrow("replaced too often");
  });
});
