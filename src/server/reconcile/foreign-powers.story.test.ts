import { type Address, type Instruction } from "@solana/kit";
import { accountReader, TEST_HOST } from "../../../test/inherit-terms.ts";
import { afterEach, describe, expect, it } from "vitest";
import { putPracticeAccount } from "../../../test/chain-bench.ts";
import { closeByOwner, openLong } from "../../../test/open-long.ts";
import { practiceRules } from "../../../test/practice-venues.ts";
import { rpcNetwork } from "../../../test/rpc-network.ts";
import { startRpcServer } from "../../../test/rpc-server.ts";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import type { VenueId } from "../../domain/venue-id.ts";
import { instruction, readonly, signer, writable } from "../../solana/encoding/instruction.ts";
import { keypairFromSeed } from "../../solana/encoding/keys.ts";
import { associatedTokenAddress } from "../../solana/programs/associated-token.ts";
import { multisigCodec, SPENDING_PERIOD } from "../../solana/programs/squads-accounts.ts";
import {
  vaultLife,
  multisigAddSpendingLimit,
  multisigRemoveSpendingLimit,
  deriveSpendingLimit,
} from "../../solana/programs/squads.ts";
import { TOKEN_PROGRAM, USDC_MINT } from "../../solana/programs/token.ts";
import { signTransaction } from "../../solana/signing.ts";
import { compileTransaction } from "../../solana/transaction.ts";
import { wrapChain } from "../../../test/wrap-chain.ts";
import { createCustodyGuard } from "../custody/custody-guard.ts";
import { createSigningAgents } from "../custody/signer/read-signing-agent.ts";
import { createReconciler, RECONCILE_INTERVAL_MS, type Reconciler } from "./reconciler.ts";
import { POWERS_INTERVAL_MS } from "./reconcile-agent.ts";

const [thief, createKey] = [3, 4].map(
  (fill) => keypairFromSeed(new Uint8Array(32).fill(fill)).address,
) as [Address, Address];

let world: TradingWorld;
let reconciler: Reconciler;

async function open(venueId: VenueId = "drift", change: Partial<TradingWorld["deps"]> = {}) {
  world = await createTradingWorld(venueId);
  connect({ ...world.deps, ...change });
}

function connect(from: TradingWorld["deps"]) {
  const deps = { ...from, keys: world.keys };
  reconciler = createReconciler({ ...deps, guard: createCustodyGuard(deps) });
}

afterEach(() => world.database.drop());

async function asOwner(instructions: readonly Instruction[]): Promise<void> {
  const { owner, chain } = world;
  const lifetime = await chain.latestBlockhash();
  const bytes = compileTransaction({ feePayer: owner.address, lifetime, instructions });
  await chain.send(signTransaction(bytes, owner));
}

const ours = () => world.keys.of(world.agentId);

/** Has a second key as a member, as the owner's config authority can. */
async function addMember(): Promise<void> {
  const { multisig } = ours();
  const state = (await world.ledger.view()).account(multisig);
  if (state === undefined) throw new Error("No multisig");
  const content = multisigCodec.decode(state.data);
  const members = [{ key: thief, permissions: 7 }, ...content.members];
  const data = new Uint8Array(multisigCodec.encode({ ...content, members }));
  await putPracticeAccount(world.ledger, multisig, { ...state, data });
}

const limitFor = (member: Address, amount = 25_000_000n) =>
  multisigAddSpendingLimit(
    {
      multisig: ours().multisig,
      configAuthority: world.owner.address,
      rentPayer: world.owner.address,
    },
    {
      createKey,
      mint: USDC_MINT,
      amount,
      period: SPENDING_PERIOD.day,
      members: [member],
      destinations: [],
    },
  );

async function reconcileLater(): Promise<void> {
  world.clock.advance(POWERS_INTERVAL_MS);
  await reconciler.run();
}

const notices = async (): Promise<readonly string[]> =>
  (await world.custody.summariseAccess(world.agentId))?.notices.map(({ text }) => text) ?? [];

describe("a power over the vault granted elsewhere", () => {
  it("is reported and stops entries, but no closing, until it is gone", async () => {
    await open();
    await world.fire("long");
    await world.run();
    await asOwner([limitFor(thief)]);
    await reconciler.run();
    const { address } = deriveSpendingLimit(ours().multisig, createKey);
    expect(await notices()).toEqual([
      `A spending limit that was not set up here lets ${thief} move 25 USDC a day out of the vault: ${address}. Nothing is opened until it is removed on chain, or until you turn Auto-Trade off and on, which accepts it.`,
    ]);
    await world.fire("close long");
    await world.run();
    await world.fire("long");
    await world.run();
    const story = ["OPEN_LONG filled", "CLOSE_LONG filled", "OPEN_LONG denied unknown_power"];
    expect(await world.story()).toEqual(story);
    await asOwner([
      multisigRemoveSpendingLimit({
        multisig: ours().multisig,
        configAuthority: world.owner.address,
        spendingLimit: address,
        rentCollector: world.owner.address,
      }),
    ]);
    await reconcileLater();
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual([...story, "OPEN_LONG filled"]);
  });

  it("of a further member stops entries, at the signer too, and the owner can close, turn off and withdraw", async () => {
    await open();
    const custodyCheck = createCustodyGuard({ ...world.deps, keys: world.keys });
    Object.assign(world.deps, { custodyCheck });
    await world.fire("long");
    await world.run();
    await reconciler.run();
    expect(await notices()).toEqual([]);
    await addMember();
    world.clock.advance(RECONCILE_INTERVAL_MS);
    await reconciler.run();
    expect(await notices()).toEqual([
      `${thief} is a further member of the vault's multisig and may move everything in it. Nothing is opened until it is removed on chain, or until you turn Auto-Trade off and on, which accepts it.`,
    ]);
    await world.fire("close long");
    await world.run();
    await world.fire("long");
    await world.run();
    const story = ["OPEN_LONG filled", "CLOSE_LONG filled", "OPEN_LONG denied unknown_power"];
    expect(await world.story()).toEqual(story);
    const signing = createSigningAgents({
      pool: world.database.pool,
      rulesOf: practiceRules(world.chain, world.prices, world.clock),
      tradingState: () => "active",
      keys: world.keys,
      clock: world.clock,
      host: TEST_HOST,
      readAccount: accountReader(world.chain),
    });
    expect((await signing.read(world.agentId))?.terms.tradingState).toBe("reducing");

    await world.turn("off");
    await world.turn("on");
    expect((await signing.read(world.agentId))?.terms.tradingState).toBe("active");
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual([...story, "OPEN_LONG filled"]);
    // Another blockhash: the closing would otherwise have the bytes of the last one
    world.clock.advance(1_000);
    await world.turn("off");
    await world.run();
    expect((await world.agent()).autoTrade).toBe("off");
    expect((await world.account()).positions).toEqual([]);
    const before = (await world.account()).portfolioValue;
    await world.approve(await world.prepare("withdraw", "100"));
    // The exchange rounds a balance down by a unit
    const taken = before - (await world.account()).portfolioValue;
    expect([100_000_000n, 100_000_001n]).toContain(taken);
    await openLong(world);
    await closeByOwner(world);
    expect((await world.account()).positions).toEqual([]);
    await world.approve(await world.prepare("revoke"));
  });

  it("is accepted by turning trading on, as long as it stays the same", async () => {
    await open();
    await asOwner([limitFor(thief)]);
    await reconciler.run();
    await world.turn("off");
    await world.turn("on");
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    const { address } = deriveSpendingLimit(ours().multisig, createKey);
    await asOwner([
      multisigRemoveSpendingLimit({
        multisig: ours().multisig,
        configAuthority: world.owner.address,
        spendingLimit: address,
        rentCollector: world.owner.address,
      }),
      limitFor(thief, 26_000_000n),
    ]);
    await world.fire("close long");
    await world.run();
    await reconcileLater();
    await world.fire("long");
    await world.run();
    expect((await world.story()).at(-1)).toBe("OPEN_LONG denied unknown_power");
  });

  it("excludes the agent's own limits, and includes everybody who may draw from the vault's account", async () => {
    await open("jupiter");
    await reconciler.run();
    expect(await notices()).toEqual([]);
    const { multisig, vault } = ours();
    const tokens = associatedTokenAddress(vault, USDC_MINT);
    const [account] = (await world.chain.accounts([multisig])).accounts;
    if (account == null) throw new Error("No multisig");
    const approve = instruction(
      TOKEN_PROGRAM,
      [writable(tokens), readonly(thief), signer(vault)],
      [4, 1, 0, 0, 0, 0, 0, 0, 0],
    );
    await asOwner(
      vaultLife({
        multisig,
        transactionIndex: multisigCodec.decode(account.data).transactionIndex + 1n,
        member: world.owner.address,
        vault,
        rentCollector: world.owner.address,
        instructions: [approve],
      }),
    );
    await reconcileLater();
    const said = `${thief} may move tokens out of the vault: ${tokens}.`;
    expect((await notices()).filter((text) => text.startsWith(said))).toHaveLength(1);
  });

  it("is found through a node that lists accounts, and not reported without one", async () => {
    await open();
    await asOwner([limitFor(thief)]);
    const rpc = await startRpcServer(world.chain);
    const silent = await startRpcServer(
      wrapChain(world.chain, () => ({ accountsOf: async () => null })),
    );
    try {
      const over = async (node: typeof rpc) => {
        const network = await rpcNetwork("practice", node, world);
        connect({ ...world.deps, networks: new Map([["practice", network]]) });
        await reconciler.run();
        return notices();
      };
      expect(await over(silent)).toEqual([]);
      expect(await over(rpc)).toHaveLength(1);
      expect(await over(silent)).toHaveLength(1);
    } finally {
      await Promise.all([rpc.close(), silent.close()]);
    }
  });
});
