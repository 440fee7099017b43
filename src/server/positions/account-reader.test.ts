import { describe, expect, it } from "vitest";
import { parseAgentId, parseChatId, parseOwner } from "../../domain/ids.ts";
import { createTestClock } from "../../../test/clock.ts";
import type { AccountState } from "../../domain/position.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import { keypairFromSeed } from "../../solana/encoding/keys.ts";
import type { Venue } from "../../venues/ports.ts";
import { createCustodyKeys } from "../custody/account/custody-keys.ts";
import type { NetworkRuntime } from "../networks.ts";
import type { CustodyAgent } from "../store/custody/multisigs.ts";
import { createAccountReader } from "./account-reader.ts";

const keys = createCustodyKeys(new Uint8Array(32).fill(5));
const owner = keypairFromSeed(new Uint8Array(32).fill(1)).address;

function agentNamed(name: string): CustodyAgent {
  const agentId = parseAgentId(name.repeat(32));
  const { multisig, vault, createKey, tradingKey } = keys.of(agentId);
  return {
    agentId,
    chatId: parseChatId("c".repeat(32)),
    owner: parseOwner(owner),
    network: "practice",
    venue: "drift",
    name: agentId,
    leverage: 1,
    marketId: "SOL-PERP",
    autoTrade: "on",
    subAccountId: 0,
    multisig: {
      agentId,
      multisig,
      vault,
      vaultIndex: 0,
      createKey: createKey.address,
      tradingKey: tradingKey.address,
      members: [owner],
      threshold: 1,
      status: "active",
      hasTradingKey: true,
      subAccountId: 0,
      createdAt: new Date(0),
      lastUsedAt: null,
      keyRevokedAt: null,
      limitsMarketId: null,
    },
  };
}

/** A venue that only tells how often and for how many accounts it was asked. */
function reader(patienceMs?: number) {
  const asked: number[] = [];
  let isUp = true;
  let held: Promise<unknown> | undefined;
  const accountStates: Venue["accountStates"] = async (accounts) => {
    asked.push(accounts.length);
    await held;
    if (!isUp) throw new ChainUnavailableError("down");
    return accounts.map(() => ({ portfolioValue: 1n, slot: 1n }) as AccountState);
  };
  const clock = createTestClock();
  const networks = new Map([
    [
      "practice" as const,
      { venues: new Map([["drift", { accountStates }]]) } as unknown as NetworkRuntime,
    ],
  ]);
  const failures: unknown[] = [];
  const accounts = createAccountReader({
    networks,
    clock,
    landedSlots: async () => new Map(),
    onFailure: (error) => failures.push(error),
    ...(patienceMs === undefined ? {} : { patienceMs }),
  });
  return {
    accounts,
    asked,
    clock,
    failures,
    setUp: (up: boolean) => void (isUp = up),
    /** Makes readings hang until the returned function is called. */
    hang() {
      let release = (): void => {};
      held = new Promise<void>((resolve) => (release = resolve));
      return release;
    },
  };
}

describe("the account reader", () => {
  it("reads once a second for any number of browsers", async () => {
    const { accounts, asked, clock } = reader();
    await Promise.all(Array.from({ length: 50 }, () => accounts.read([agentNamed("a")])));
    clock.advance(999);
    await accounts.read([agentNamed("a")]);
    expect(asked).toEqual([1]);
    clock.advance(1);
    await accounts.read([agentNamed("a")]);
    expect(asked).toEqual([1, 1]);
  });

  it("reads stale accounts of one venue together, in the requested order", async () => {
    const { accounts, asked } = reader();
    await accounts.read([agentNamed("b")]);
    const snapshots = await accounts.read(["a", "b", "c"].map(agentNamed));
    expect(asked).toEqual([1, 2]);
    expect(snapshots.map((snapshot) => snapshot?.state.portfolioValue)).toEqual([1n, 1n, 1n]);
  });

  it("returns null, not an empty account, when the venue is unavailable, and logs why", async () => {
    const { accounts, clock, failures, setUp } = reader();
    setUp(false);
    expect(await accounts.read([agentNamed("a")])).toEqual([null]);
    expect(failures).toHaveLength(1);
    setUp(true);
    clock.advance(1_000);
    expect(await accounts.read([agentNamed("a")])).not.toEqual([null]);
  });

  it("keeps since when an account could not be read, until it can be read", async () => {
    const { accounts, clock, setUp } = reader();
    await accounts.read([agentNamed("a")]);
    expect(accounts.unreadSince(agentNamed("a").agentId)).toBeNull();
    setUp(false);
    clock.advance(5_000);
    const sinceMs = clock.now();
    for (let polls = 0; polls < 3; polls += 1) {
      await accounts.read([agentNamed("a")]);
      expect(accounts.unreadSince(agentNamed("a").agentId)).toBe(sinceMs);
      clock.advance(5_000);
    }
    setUp(true);
    await accounts.read([agentNamed("a")]);
    expect(accounts.unreadSince(agentNamed("a").agentId)).toBeNull();
  });

  it("does not wait for a hanging venue, shows the last figures for a while, and asks once until it answers", async () => {
    const { accounts, asked, clock, hang } = reader(20);
    const [first] = await accounts.read([agentNamed("a")]);
    clock.advance(1_000);
    const release = hang();
    expect(await accounts.read([agentNamed("a")])).toEqual([first]);
    clock.advance(14_000);
    expect(await accounts.read([agentNamed("a")])).toEqual([first]);
    clock.advance(1);
    expect(await accounts.read([agentNamed("a")])).toEqual([null]);
    expect(asked).toEqual([1, 1]);
    release();
    await expect.poll(() => accounts.latest(agentNamed("a").agentId)?.readAtMs).toBe(clock.now());
  });

  it("shows no reading that began before a change, even while the next one hangs", async () => {
    const { accounts, asked, clock, hang } = reader(20);
    const { agentId } = agentNamed("a");
    const release = hang();
    const begunBefore = accounts.read([agentNamed("a")]);
    accounts.outdate(agentId);
    const after = accounts.read([agentNamed("a")]);
    expect(asked).toEqual([1, 1]);
    release();
    await Promise.all([begunBefore, after]);

    clock.advance(500);
    accounts.outdate(agentId);
    hang();
    expect(await accounts.read([agentNamed("a")])).toEqual([null]);
    expect(asked).toEqual([1, 1, 1]);
  });

  it("keeps the later reading when an earlier one ends after it", async () => {
    const { accounts, clock, hang } = reader(20);
    const { agentId } = agentNamed("a");
    const releaseEarlier = hang();
    const earlier = accounts.read([agentNamed("a")]);
    accounts.outdate(agentId);
    const releaseLater = hang();
    const later = accounts.read([agentNamed("a")]);
    releaseLater();
    await later;
    const readAtMs = clock.now();
    clock.advance(5);
    releaseEarlier();
    await earlier;
    expect(accounts.latest(agentId)?.readAtMs).toBe(readAtMs);
  });

  it("returns null for an agent without custody or of an unknown venue, without a request", async () => {
    const { accounts, asked } = reader();
    const bare = { ...agentNamed("a"), multisig: null };
    const elsewhere = { ...agentNamed("b"), venue: null };
    expect(await accounts.read([bare, elsewhere])).toEqual([null, null]);
    expect(asked).toEqual([]);
  });
});
