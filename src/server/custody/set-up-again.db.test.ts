import { beforeEach, describe, expect, it } from "vitest";
import { inheritTerms } from "../../../test/inherit-terms.ts";
import { useTradingWorld } from "../../../test/trading-world.ts";
import { userLayout } from "../../venues/drift/layout-user.ts";
import { deriveUser } from "../../venues/drift/pdas.ts";
import { DRIFT_INSTANCES } from "../../venues/drift/instance.ts";
import { createCustodyGuard, type CustodyGuard } from "./custody-guard.ts";

const world = useTradingWorld();
let guard: CustodyGuard;

beforeEach(async () => {
  guard = createCustodyGuard({ ...world.deps, keys: world.keys });
});

/** The exchange account of that number, null where there is none. */
async function exchangeAccount(number: number) {
  const { vault } = world.keys.of(world.agentId);
  const address = deriveUser(DRIFT_INSTANCES.practice, vault, number);
  const [account] = (await world.chain.accounts([address])).accounts;
  return account == null ? null : userLayout.decode(account.data);
}

const positions = async () => {
  const user = await exchangeAccount((await world.agent()).multisig?.subAccountId ?? -1);
  return user?.perpPositions.filter(({ baseAssetAmount }) => baseAssetAmount !== 0n).length;
};

/** Takes everything out and deletes the exchange account, as the owner does before changing their mind. */
async function emptyAndDelete(): Promise<void> {
  await world.turn("off");
  const { venueQuote } = (await world.custody.summariseAccess(world.agentId)) ?? {};
  await world.approve(await world.prepare("withdraw", venueQuote ?? "nothing"));
  const prepared = await world.prepare("delete");
  expect(prepared.label).toBe("Delete the exchange account");
  expect(await world.approve(prepared)).toMatchObject({ state: "confirmed" });
}

/** Signs whatever the set-up still needs and answers how many signatures that were. */
async function setUpAgain(): Promise<number> {
  for (let signatures = 0; ; signatures += 1) {
    const asked = { agentId: world.agentId, intent: "set-up" } as const;
    const prepared = await world.custody.prepare(asked);
    if (prepared === null) return signatures;
    expect(await world.approve(prepared)).toMatchObject({ state: "confirmed" });
  }
}

describe("an agent whose exchange account was deleted", () => {
  it("can be set up again under the next number, funded and used for trading", async () => {
    await emptyAndDelete();
    expect(await exchangeAccount(0)).toBeNull();
    expect(await guard(world.agentId)).toBe("The trading account is not on chain.");

    expect(await setUpAgain()).toBe(1);
    expect(await exchangeAccount(1)).toMatchObject({
      delegate: world.keys.of(world.agentId).tradingKey.address,
    });
    expect(await guard(world.agentId)).toBeNull();
    expect(await world.agent()).toMatchObject({
      subAccountId: null,
      autoTrade: "off",
      multisig: { subAccountId: 1, status: "active" },
    });

    await world.approve(await world.prepare("deposit", "400"));
    await inheritTerms(world.database.db);
    expect(await world.agent()).toMatchObject({ subAccountId: 1, autoTrade: "on" });
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    expect(await positions()).toBe(1);
    expect(await exchangeAccount(0)).toBeNull();
    await world.fire("close long");
    await world.run();
    expect(await positions()).toBe(0);
  });

  it("increments the number with every deletion, and can be deleted for good", async () => {
    await emptyAndDelete();
    await setUpAgain();
    await world.approve(await world.prepare("deposit", "100"));
    await emptyAndDelete();
    await setUpAgain();
    expect(await exchangeAccount(2)).not.toBeNull();
    for (;;) {
      const asked = { agentId: world.agentId, intent: "delete" } as const;
      const prepared = await world.custody.prepare(asked);
      if (prepared === null) break;
      await world.approve(prepared);
    }
    await world.custody.close(world.agentId);
    expect(await world.agent()).toMatchObject({ multisig: { status: "closed" } });
    await expect(world.prepare("set-up")).rejects.toMatchObject({ code: "conflict" });
  });

  it("finds its account when the report of its opening was lost", async () => {
    await emptyAndDelete();
    const handedOut = await world.prepare("set-up");
    // The server only sees that number 1 exists
    await world.chain.send(world.sign(handedOut));
    expect(await setUpAgain()).toBe(0);
    expect(await world.agent()).toMatchObject({ multisig: { subAccountId: 1 } });
    expect(await guard(world.agentId)).toBeNull();
  });

  it("keeps its number while the account exists, whatever is requested", async () => {
    expect(await setUpAgain()).toBe(0);
    expect(await world.agent()).toMatchObject({ subAccountId: 0, multisig: { subAccountId: 0 } });
  });
});
