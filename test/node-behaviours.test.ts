import * as kit from "@solana/kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PRACTICE_QUOTE_MINT } from "../src/practice/genesis.ts";
import { signTransaction, practiceKeyPair } from "../src/practice/sign-transaction.ts";
import { createMemoryLedger } from "./memory-ledger.ts";
import { createPracticeChain, type PracticeChain } from "../src/practice/practice-chain.ts";
import { SLOT_MS } from "../src/practice/slots.ts";
import {
  type Chain,
  ChainUnavailableError,
  TransactionRefusedError,
  UnreadableTransactionError,
} from "../src/solana/chain.ts";
import { transferLamports } from "../src/solana/programs/system.ts";
import { askSignature } from "../src/solana/settle-signature.ts";
import { signatureOf } from "../src/solana/signing.ts";
import { transactionErrorOfCode } from "../src/solana/transaction-errors.ts";
import { connectRpc } from "./connect-rpc.ts";
import { AWAY, changing, historyLess, lagging, LYING_ABOUT_ACCOUNTS } from "./node-behaviours.ts";
import { preflightFailure, RpcFailure } from "./rpc-answers.ts";
import { type RpcBehaviour, type RpcServer, startRpcServer } from "./rpc-server.ts";

const MINT = PRACTICE_QUOTE_MINT;
const alice = practiceKeyPair("alice");
const bob = practiceKeyPair("bob");
const clock = { ms: 0, now: () => clock.ms };

let practice: PracticeChain;
let bad: RpcServer;
let good: RpcServer;

beforeEach(async () => {
  clock.ms = 1_764_000_000_000;
  const prices = { label: "none", quote: () => undefined };
  practice = await createPracticeChain({ ledger: createMemoryLedger(), clock, prices });
  clock.ms += 1_000 * SLOT_MS;
  await practice.fund(alice.address, { lamports: 10_000_000_000n, quoteUnits: 0n });
  [bad, good] = [await startRpcServer(practice), await startRpcServer(practice)];
});

afterEach(async () => {
  await Promise.all([bad.close(), good.close()]);
});

const connect = (...servers: Pick<RpcServer, "url">[]) => connectRpc(servers, practice, { clock });

const mintOf = async (chain: Chain) => (await chain.accounts([MINT])).accounts[0];

async function transfer(chain: Chain) {
  const lifetime = await chain.latestBlockhash();
  const give = transferLamports({ from: alice.address, to: bob.address }, 1_000_000_000n);
  const bytes = signTransaction([alice], [give], lifetime.blockhash);
  const { lastValidBlockHeight, slot: blockhashSlot } = lifetime;
  return { bytes, sent: { signature: signatureOf(bytes), lastValidBlockHeight, blockhashSlot } };
}

/** Expects a new process to pass over the bad node, which is asked first. */
async function expectPassedOver(behaviour: RpcBehaviour, kind: string) {
  const truth = await mintOf(practice);
  bad.behave(behaviour);
  const { chain, nodes } = await connect(bad, good);
  expect(await mintOf(chain)).toEqual(truth);
  expect(nodes()).toEqual([
    { name: "Node 1", isUsed: false, trouble: { kind, sinceMs: clock.ms } },
    { name: "Node 2", isUsed: true, trouble: null },
  ]);
}

describe("an unavailable node", () => {
  it.each(Object.entries(AWAY))(
    "that %s is skipped, and alone leaves no chain",
    async (name, behaviour) => {
      const kinds: Record<string, string> = {
        "answers 429": "limited",
        "refuses the key": "refused",
        "answers something else than JSON": "wrong_answer",
        "answers JSON that is no answer": "wrong_answer",
        "answers for a node behind a wall": "behind",
      };
      await expectPassedOver(behaviour, kinds[name] ?? "unreachable");
      const alone = await connect(bad);
      await expect(mintOf(alone.chain)).rejects.toBeInstanceOf(ChainUnavailableError);
    },
  );

  it("with an invalid certificate is skipped", async () => {
    const { chain, nodes } = await connect({ url: bad.url.replace("http:", "https:") }, good);
    expect(await mintOf(chain)).toEqual(await mintOf(practice));
    expect(nodes()[0]?.trouble?.kind).toBe("unreachable");
  });

  it("is rarely asked while it answers 429 for an hour, and used again afterwards", async () => {
    bad.behave(AWAY["answers 429"] ?? null);
    const { chain, nodes } = await connect(bad, good);
    const since = clock.ms;
    for (let minute = 0; minute < 60; minute += 1) {
      await mintOf(chain);
      clock.ms += 60_000;
    }
    expect(bad.calls.length).toBeLessThan(5);
    expect(nodes()[0]?.trouble).toEqual({ kind: "limited", sinceMs: since });
    bad.behave(null);
    good.behave(AWAY["answers 503"] ?? null);
    expect(await mintOf(chain)).toEqual(await mintOf(practice));
    expect(nodes()[0]).toEqual({ name: "Node 1", isUsed: true, trouble: null });
  });

  it("that answers 429 slows down all that is not an exit", async () => {
    bad.behave(AWAY["answers 429"] ?? null);
    let limited = 0;
    const budget = { take: async () => {}, limited: () => void (limited += 1) };
    const sharing = { budget, endOfTick: async () => {}, wait: () => new Promise(() => {}) };
    const { chain } = await connectRpc([bad, good], practice, { clock, sharing });
    expect(await mintOf(chain)).toEqual(await mintOf(practice));
    expect(limited).toBe(1);
  });
});

/** Shapes in which providers refuse, with the fault that an owner reads. */
const REFUSALS: readonly (readonly [string, RpcBehaviour, string])[] = [
  [
    "a key that is wrong, by status",
    { before: () => ({ kind: "status", status: 401 }) },
    "refused",
  ],
  ["a payment that is due", { before: () => ({ kind: "status", status: 403 }) }, "refused"],
  ["a key that is wrong, in a body", failing(-32_401, "invalid api key provided"), "refused"],
  ["a rate in a body", failing(-32_007, "15/second request limit reached"), "limited"],
  ["a rate under a node's own code", failing(-32_005, "limit exceeded, upgrade"), "limited"],
  ["a node that lags under that code", failing(-32_005, "Node is behind by 200 slots"), "behind"],
  ["a month that is used up", failing(-32_003, "quota exceeded"), "limited"],
  ["a rate as a number of HTTP's", failing(429, "slow down"), "limited"],
  ["a page instead of JSON", { before: () => ({ kind: "text", text: "<html>" }) }, "wrong_answer"],
  ["nothing as a result", { after: () => null }, "wrong_answer"],
];

/** A node that answers every call with this error. */
function failing(code: number, message: string): RpcBehaviour {
  return {
    before() {
      throw new RpcFailure(code, message);
    },
  };
}

describe("a provider's refusal", () => {
  it.each(REFUSALS)("for %s is told as what it is", async (_name, behaviour, kind) => {
    await expectPassedOver(behaviour, kind);
    const alone = await connect(bad);
    await expect(mintOf(alone.chain)).rejects.toBeInstanceOf(ChainUnavailableError);
  });

  it.each([
    ["-32602", failing(-32_602, "getMultipleAccounts is limited to a 5 range on this plan")],
    ["413", { before: () => ({ kind: "status", status: 413 }) } satisfies RpcBehaviour],
  ])("to read so many accounts (%s) has them asked in parts", async (_name, refusal) => {
    const most = 5;
    const sizes: number[] = [];
    const reading: RpcBehaviour = {
      before(method, params) {
        if (method !== "getMultipleAccounts") return undefined;
        const [keys] = params as unknown as [readonly string[]];
        sizes.push(keys.length);
        return keys.length > most ? refusal.before?.(method, params) : undefined;
      },
    };
    bad.behave(reading);
    let requests = 0;
    const budget = { take: async (_class: unknown, count: number) => void (requests += count) };
    const sharing = {
      budget: { ...budget, limited: () => {} },
      endOfTick: async () => {},
      wait: () => new Promise(() => {}),
    };
    const { chain, nodes } = await connectRpc([bad], practice, { clock, sharing });
    const keys = [
      MINT,
      ...Array.from({ length: 20 }, (_, at) => practiceKeyPair(`k${at}`).address),
    ];
    const answer = await chain.accounts(keys);
    expect(answer).toEqual(await practice.accounts(keys));
    expect(nodes()[0]?.trouble).toBeNull();
    const before = requests;
    sizes.length = 0;
    await chain.accounts(keys);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(most);
    expect(requests - before).toBeGreaterThanOrEqual(sizes.length);
  });

  it("to read even one account goes to the next node", async () => {
    bad.behave({
      before(method) {
        if (method === "getMultipleAccounts") throw new RpcFailure(-32_602, "not on this plan");
        return undefined;
      },
    });
    const { chain, nodes } = await connect(bad, good);
    expect(await mintOf(chain)).toEqual(await mintOf(practice));
    expect(nodes()[0]?.trouble?.kind).toBe("limited");
    const alone = await connect(bad);
    const keys = [MINT, alice.address];
    await expect(alone.chain.accounts(keys)).rejects.toBeInstanceOf(ChainUnavailableError);
    // Nothing was learned about how many it reads
    bad.behave(null);
    bad.calls.length = 0;
    expect(await alone.chain.accounts(keys)).toEqual(await practice.accounts(keys));
    expect(bad.calls.filter((method) => method === "getMultipleAccounts")).toHaveLength(1);
  });

  it("of a call that its plan leaves out is no error of ours", async () => {
    bad.behave(failing(-32_602, "getRecentPrioritizationFees is not available on this plan"));
    const { chain } = await connect(bad);
    await expect(chain.recentUnitPrices([MINT])).rejects.toBeInstanceOf(ChainUnavailableError);
  });

  it.each([403, 405, 410])("to list accounts with status %i is no broken key", async (status) => {
    bad.behave({
      before: (method) =>
        method === "getProgramAccounts" ? { kind: "status", status } : undefined,
    });
    const { chain, nodes } = await connect(bad);
    expect(await chain.accountsOf(MINT, { offset: 0, bytes: new Uint8Array(8) })).toBeNull();
    expect(nodes()[0]?.trouble).toBeNull();
  });
});

describe("the only node", () => {
  it("that refuses a few requests for its rate is asked on by what closes, and by nothing else", async () => {
    const { chain, forCalls } = await connect(bad);
    await mintOf(chain);
    const asked = (callClass: "exit" | "entry", status: number) => {
      bad.fail(...Array.from({ length: 3 }, () => ({ kind: "status", status }) as const));
      return mintOf(forCalls(callClass).chain);
    };
    expect(await asked("exit", 429)).toEqual(await mintOf(practice));
    await expect(asked("entry", 429)).rejects.toBeInstanceOf(ChainUnavailableError);
    // Two answers were its own, one is left
    expect(await mintOf(chain)).toEqual(await mintOf(practice));
    await expect(asked("exit", 503)).rejects.toBeInstanceOf(ChainUnavailableError);
  });
});

describe("a node of another chain", () => {
  it("is never asked for anything else, and alone leaves no chain", async () => {
    await expectPassedOver(
      changing("getGenesisHash", () => "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY"),
      "wrong_chain",
    );
    expect(new Set(bad.calls)).toEqual(new Set(["getGenesisHash"]));
    const alone = await connect(bad);
    await expect(mintOf(alone.chain)).rejects.toBeInstanceOf(ChainUnavailableError);
  });
});

describe("a node that lies about an account", () => {
  const lies = Object.entries(LYING_ABOUT_ACCOUNTS);

  it.each(lies)(
    "that %s is not believed when the account was seen before",
    async (_, behaviour) => {
      const { chain, nodes } = await connect(bad, good);
      const truth = await mintOf(chain);
      bad.behave(behaviour);
      expect(await mintOf(chain)).toEqual(truth);
      expect(nodes()[0]?.trouble?.kind).toBe("wrong_answer");
      expect(nodes()[1]?.isUsed).toBe(true);
    },
  );

  // Content that only memory misses is judged by the venue, which knows owner and length
  const needsMemory = [
    "answers it shortened",
    "answers it with little of its content",
    "answers another owner",
  ];
  it.each(lies.filter(([name]) => !needsMemory.includes(name)))(
    "that %s is not believed by a new process either",
    (_, behaviour) => expectPassedOver(behaviour, "wrong_answer"),
  );

  it.each(lies.filter(([name]) => !name.startsWith("answers it with little")))(
    "that %s leaves no chain when it is alone",
    async (_, behaviour) => {
      const { chain } = await connect(bad);
      await mintOf(chain);
      bad.behave(behaviour);
      await expect(mintOf(chain)).rejects.toBeInstanceOf(ChainUnavailableError);
    },
  );

  it("is believed alone once the block without the account is final", async () => {
    const { chain } = await connect(bad);
    await mintOf(chain);
    bad.behave(LYING_ABOUT_ACCOUNTS["loses the account"] ?? null);
    await expect(mintOf(chain)).rejects.toBeInstanceOf(ChainUnavailableError);
    clock.ms += 32 * SLOT_MS;
    expect(await mintOf(chain)).toBeNull();
  });

  it("is believed alone at once about an account that a landed transaction closed", async () => {
    const { chain, forgetAccounts } = await connect(bad);
    await mintOf(chain);
    bad.behave(LYING_ABOUT_ACCOUNTS["loses the account"] ?? null);
    await expect(mintOf(chain)).rejects.toBeInstanceOf(ChainUnavailableError);
    forgetAccounts([MINT]);
    expect(await mintOf(chain)).toBeNull();
  });

  it("is asked twice about an account it never had, and then once", async () => {
    const { chain } = await connect(bad);
    const nobody = practiceKeyPair("nobody").address;
    const asks = () => bad.calls.filter((call) => call === "getMultipleAccounts").length;
    expect((await chain.accounts([nobody])).accounts).toEqual([null]);
    expect(asks()).toBe(2);
    expect((await chain.accounts([nobody])).accounts).toEqual([null]);
    expect(asks()).toBe(3);
  });
});

describe("a node with implausible progress", () => {
  it("is skipped while it is behind the network", async () => {
    const { chain, nodes } = await connect(bad, good);
    await mintOf(chain);
    bad.behave(lagging(300n));
    expect(await mintOf(chain)).toEqual(await mintOf(practice));
    expect(nodes()[0]?.trouble?.kind).toBe("behind");
    good.behave(AWAY["answers 503"] ?? null);
    await expect(mintOf(chain)).rejects.toBeInstanceOf(ChainUnavailableError);
    bad.behave(null);
    expect(await mintOf(chain)).toEqual(await mintOf(practice));
    expect(nodes()[0]).toEqual({ name: "Node 1", isUsed: true, trouble: null });
  });

  it.each([1_000_000_000n, 1n << 60n, 2_000n])(
    "reporting a slot %d ahead once changes nothing",
    async (slots) => {
      const { chain, nodes } = await connect(bad, good);
      const lie = async () => {
        bad.behave(lagging(-slots));
        // Whoever answers says the truth
        expect((await chain.latestBlockhash()).slot).toBe((await practice.latestBlockhash()).slot);
        expect(nodes()[0]?.trouble?.kind).toBe("wrong_answer");
        bad.behave(null);
        clock.ms += 120_000;
      };
      await mintOf(chain);
      await lie();
      await lie();
      good.behave(AWAY["answers 503"] ?? null);
      expect(await mintOf(chain)).toEqual(await mintOf(practice));
      expect(nodes()[0]).toEqual({ name: "Node 1", isUsed: true, trouble: null });
    },
  );

  it("whose very first slot was absurd is used like any other", async () => {
    for (const servers of [[bad], [bad, good]]) {
      bad.behave(lagging(-1_000_000_000n));
      const { chain } = await connect(...servers);
      await chain.latestBlockhash();
      bad.behave(null);
      for (let minute = 0; minute < 3; minute += 1) {
        clock.ms += 60_000;
        expect(await mintOf(chain)).toEqual(await mintOf(practice));
        expect((await chain.progress("confirmed")).slot).toBe(
          (await practice.progress("confirmed")).slot,
        );
      }
    }
  });

  it("that reported an absurd slot once is used like any other when it is alone", async () => {
    const { chain } = await connect(bad);
    await mintOf(chain);
    clock.ms += 60_000;
    await mintOf(chain);
    bad.behave(lagging(-1_000_000_000n));
    await expect(mintOf(chain)).rejects.toBeInstanceOf(ChainUnavailableError);
    bad.behave(null);
    expect(await mintOf(chain)).toEqual(await mintOf(practice));
  });

  it("does not define the network for a process that was idle for an hour", async () => {
    const { chain, nodes } = await connect(bad, good);
    await mintOf(chain);
    clock.ms += 3_600_000;
    expect(await mintOf(chain)).toEqual(await mintOf(practice));
    expect(nodes().map(({ trouble }) => trouble)).toEqual([null, null]);
  });

  const skipping = (info: { blockHeight: bigint }) => ({
    ...info,
    blockHeight: info.blockHeight - 900n,
  });
  it.each([
    ["slot and height", lagging(-1_000_000_000n), null, 0n],
    ["height", {}, changing("getEpochInfo", skipping), 900n],
  ])("that reported a wrong final %s once can still prove expiry", async (_, lie, truth, less) => {
    const { chain } = await connect(bad);
    const final = async () => (await chain.progress("finalized")).blockHeight;
    bad.behave(lie);
    await final();
    bad.behave(truth);
    await final().catch(() => undefined);
    clock.ms += 60_000;
    await mintOf(chain);
    expect(await final()).toBe((await practice.progress("finalized")).blockHeight - less);
  });

  it("that reported a transaction's wrong slot once is read like any other", async () => {
    const { bytes, sent } = await transfer(practice);
    await practice.send(bytes);
    bad.behave(
      changing("getTransaction", (answer: object) => ({ ...answer, slot: 5_000_000_000n })),
    );
    for (const servers of [[bad], [bad, good]]) {
      const { chain } = await connect(...servers);
      await chain.transaction(sent.signature).catch(() => undefined);
      expect(await mintOf(chain)).toEqual(await mintOf(practice));
    }
  });

  it("is not believed with a block time in the future", async () => {
    const { bytes, sent } = await transfer(practice);
    await practice.send(bytes);
    bad.behave(
      changing("getTransaction", (answer: object) => ({ ...answer, blockTime: 4_000_000_000n })),
    );
    const { chain, nodes } = await connect(bad, good);
    const truth = await practice.transaction(sent.signature);
    expect((await chain.transaction(sent.signature))?.blockTime).toBe(truth?.blockTime);
    expect(nodes()[0]?.trouble?.kind).toBe("wrong_answer");
  });

  it("gives no transaction an impossible lifetime", async () => {
    const late = (answer: { value: object }) => ({
      ...answer,
      value: { ...answer.value, lastValidBlockHeight: 1_000_000n },
    });
    bad.behave(changing("getLatestBlockhash", late));
    const { chain } = await connect(bad, good);
    const truth = await practice.latestBlockhash();
    expect(await chain.latestBlockhash()).toEqual(truth);
    expect(await chain.latestBlockhash()).toEqual(truth);
    const alone = await connect(bad);
    await expect(alone.chain.latestBlockhash()).rejects.toBeInstanceOf(ChainUnavailableError);
    bad.behave(null);
    expect(await alone.chain.latestBlockhash()).toEqual(truth);
  });

  it("is not believed about rent when another node disagrees", async () => {
    bad.behave(changing("getMinimumBalanceForRentExemption", (rent: bigint) => rent * 1_000n));
    const { chain } = await connect(bad, good);
    await expect(chain.minimumBalance(165)).rejects.toBeInstanceOf(ChainUnavailableError);
    const alone = await connect(good);
    expect(await alone.chain.minimumBalance(165)).toBe(await practice.minimumBalance(165));
  });

  it("proves nothing by its block height", async () => {
    const { chain, nodes } = await connect(bad);
    await chain.progress("finalized");
    bad.behave(lagging(5n));
    await expect(chain.progress("finalized")).rejects.toBeInstanceOf(ChainUnavailableError);
    expect(nodes()[0]?.trouble?.kind).toBe("behind");
  });

  it("proves nothing with a height above its slot", async () => {
    const { chain } = await connect(bad);
    bad.behave(changing("getEpochInfo", (info: object) => ({ ...info, blockHeight: 1n << 60n })));
    await expect(chain.progress("finalized")).rejects.toBeInstanceOf(ChainUnavailableError);
  });
});

describe("the outcome of a transaction", () => {
  /** Returns a landed transaction whose blockhash has expired. */
  async function landed() {
    const { bytes, sent } = await transfer(practice);
    await practice.send(bytes);
    clock.ms += 300 * SLOT_MS;
    return sent;
  }
  const statuses = (change: (status: object) => unknown) =>
    changing("getSignatureStatuses", (answer: { value: (object | null)[] }) => ({
      ...answer,
      value: answer.value.map((status) => status && change(status)),
    }));
  const lies: Readonly<Record<string, () => RpcBehaviour>> = {
    "whose statuses are 300 slots behind its height": () => ({
      after(method, result) {
        if (method !== "getSignatureStatuses") return result;
        const { context } = result as { context: { slot: bigint } };
        return { context: { slot: context.slot - 300n }, value: [null] };
      },
    }),
    "that has no history": () => historyLess(1_250n, { isSilent: false }),
    "that forgot it silently": () => historyLess(1_250n, { isSilent: true }),
    "that answers a status without its slot": () =>
      statuses((status) => ({ ...status, slot: undefined })),
    "that answers a status from the future": () =>
      statuses((status) => ({ ...status, slot: 1n << 60n })),
  };

  it.each(Object.entries(lies))("is not accepted from a node %s", async (_, lie) => {
    const sent = await landed();
    bad.behave(lie());
    const alone = await connect(bad);
    await expect(askSignature(alone.chain, sent)).rejects.toBeInstanceOf(ChainUnavailableError);
    const { chain } = await connect(bad, good);
    expect(await askSignature(chain, sent)).toMatchObject({ kind: "landed" });
  });

  it("is not read from another transaction's answer, nor one without balances or logs", async () => {
    const { signature } = await landed();
    for (const change of [
      (answer: { transaction: object }) => ({
        ...answer,
        transaction: { ...answer.transaction, signatures: ["1".repeat(64)] },
      }),
      (answer: { meta: object }) => ({ ...answer, meta: { ...answer.meta, postBalances: [] } }),
      (answer: { meta: object }) => ({ ...answer, meta: { ...answer.meta, logMessages: null } }),
      ...["pre", "post"].map((time) => (answer: { meta: object }) => ({
        ...answer,
        meta: { ...answer.meta, [`${time}TokenBalances`]: null },
      })),
    ]) {
      bad.behave(changing("getTransaction", change));
      const { chain, nodes } = await connect(bad, good);
      const outcome = await chain.transaction(signature);
      expect(outcome?.lamportDeltas.get(bob.address)).toBe(1_000_000_000n);
      expect(outcome?.logs).not.toEqual([]);
      expect(nodes()[0]?.trouble?.kind).toBe("wrong_answer");
    }
  });

  it("of an unknown version is unreadable, and the node stays healthy", async () => {
    bad.behave({
      before(method) {
        if (method !== "getTransaction") return undefined;
        throw new RpcFailure(-32_015, "Transaction version (7) is not supported");
      },
    });
    const { chain, nodes } = await connect(bad, good);
    const { signature } = await landed();
    await expect(chain.transaction(signature)).rejects.toBeInstanceOf(UnreadableTransactionError);
    expect(nodes()[0]?.trouble).toBeNull();
  });
});

describe("a node that refuses at preflight", () => {
  const names = Object.entries(kit).flatMap(([constant, code]) =>
    constant.startsWith("SOLANA_ERROR__TRANSACTION_ERROR__") && typeof code === "number"
      ? (transactionErrorOfCode(code) ?? [])
      : [],
  );
  const refusing = (name: (typeof names)[number]): RpcBehaviour => ({
    before(method) {
      if (method !== "sendTransaction") return undefined;
      throw preflightFailure({ kind: "transaction", name });
    },
  });

  it("is reported with its own error, which does not end the order", async () => {
    expect(names.length).toBeGreaterThan(30);
    const { chain } = await connect(bad);
    const { bytes, sent } = await transfer(chain);
    for (const name of names) {
      bad.behave(refusing(name));
      const answer = await chain.send(bytes).catch((error: unknown) => error);
      if (name === "AlreadyProcessed") {
        expect(answer).toBe(sent.signature);
      } else {
        expect(answer).toBeInstanceOf(TransactionRefusedError);
        expect(answer).toMatchObject({ error: { kind: "transaction", name } });
      }
      expect(await askSignature(chain, sent)).toEqual({ kind: "pending" });
    }
  });

  it("for a missing blockhash passes the transaction to the next node", async () => {
    bad.behave(refusing("BlockhashNotFound"));
    const { chain } = await connect(bad, good);
    const { bytes, sent } = await transfer(chain);
    expect(await chain.send(bytes)).toBe(sent.signature);
    expect(await askSignature(chain, sent)).toMatchObject({ kind: "landed" });
  });
});
