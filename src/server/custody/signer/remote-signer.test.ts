import type { Address, Instruction } from "@solana/kit";
import { describe, expect, it, vi } from "vitest";
import type { AgentId } from "../../../domain/ids.ts";
import { agentIdOf } from "../../../../test/ids.ts";
import { readonly, signer as signing, instruction } from "../../../solana/encoding/instruction.ts";
import { keypairFromSeed } from "../../../solana/encoding/keys.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import { unsignedSigners } from "../../../solana/signing.ts";
import { multisigCreateV2 } from "../../../solana/programs/squads.ts";
import { SYSTEM_PROGRAM } from "../../../solana/programs/system.ts";
import { compileV1Transaction } from "../../../solana/transaction.ts";
import { verifyEd25519 } from "../../crypto/verify-ed25519.ts";
import type { AskedNodes } from "../../pacing/asked-nodes.ts";
import { createCustodyKeys } from "../account/custody-keys.ts";
import { SigningRefusedError, type SigningRequest } from "../account/trading-key-signer.ts";
import { createCallAnswers } from "./answer-calls.ts";
import { createFrameReader, encodeFrame } from "./frames.ts";
import { openRemoteSigner } from "./remote-signer.ts";
import type { SignerAnswer } from "./signer-calls.ts";
import type { SignerListener } from "./signer-channel.ts";
import type { NumberedCall } from "./signer-turns.ts";

const keys = createCustodyKeys(new Uint8Array(32).fill(7), [new Uint8Array(32).fill(8)]);
const stranger = keypairFromSeed(new Uint8Array(32).fill(9)).address;
const owners = { [agentIdOf("a")]: keypairFromSeed(new Uint8Array(32).fill(6)).address };
const ownerOf = async (agentId: AgentId) => owners[agentId] ?? null;

const request = (instructions: readonly Instruction[]): SigningRequest => ({
  agentId: agentIdOf("a"),
  purpose: "order",
  isUrgent: false,
  instructions,
  lifetime: { blockhash: stranger as never, slot: 5n, lastValidBlockHeight: 150n },
});
const order = instruction(stranger, [signing(stranger), readonly(stranger)], [1, 2]);
const signed = {
  transaction: new Uint8Array([1, 2, 3]),
  signature: "s" as never,
  lastValidBlockHeight: 150n,
  blockhashSlot: 5n,
};

/** Returns a message as the other end of a connection reads it. */
const copied = (message: object) => createFrameReader().read(encodeFrame(message))[0];

/** Both ends of the channel, with everything that crosses it as bytes. */
async function connect(
  sign: (request: SigningRequest) => Promise<typeof signed>,
  answerMs = 30_000,
  signMs = 20_000,
) {
  const crossed: Buffer[] = [];
  let isHeard = true;
  const told: AskedNodes[] = [];
  let asked = 0;
  const takeAsked = () => ({ mainnet: (asked += 1) });
  const start = () => createCallAnswers(keys, { sign, ownerOf }, { signMs, takeAsked });
  let answer = start();
  let listener: SignerListener | undefined;
  const say = (message: SignerAnswer) => {
    crossed.push(encodeFrame(message));
    listener?.answer(copied(message) as SignerAnswer);
  };
  const remote = openRemoteSigner(
    {
      send(message) {
        if (isHeard) void answer(copied(message) as NumberedCall).then(say);
      },
      listen: (given) => (listener = given),
      close: () => {},
    },
    { answerMs, onAsked: (each) => told.push(each) },
  );
  listener?.up();
  return {
    remote: await remote,
    crossed,
    told,
    ask: (message: object) => answer(copied(message) as NumberedCall),
    fall() {
      isHeard = false;
    },
    die() {
      isHeard = false;
      listener?.down();
    },
    rise() {
      isHeard = true;
      answer = start();
      listener?.up();
    },
  };
}

/** Creation of the multisig of a create key by its later owner. */
const creationBy = (createKey: Address, owner: Address): Instruction =>
  multisigCreateV2(
    { treasury: stranger, createKey, creator: owner },
    {
      configAuthority: owner,
      threshold: 1,
      members: [{ key: owner, permissions: 7 }],
      rentCollector: owner,
    },
  );

describe("the signer in a process of its own", () => {
  it("tells with what it says of an order, and with nothing else, what it asked of nodes", async () => {
    const refuse = vi.fn(async () => signed);
    refuse.mockRejectedValueOnce(new SigningRefusedError("Refused to sign"));
    const { remote, told } = await connect(refuse);
    await remote.of(agentIdOf("a"));
    await expect(remote.sign(request([order]))).rejects.toThrow("Refused");
    await remote.sign(request([order]));
    expect(told).toEqual([{ mainnet: 1 }, { mainnet: 2 }]);
  });

  it("tells for how long it has said nothing", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      const { remote, fall, rise } = await connect(async () => signed);
      fall();
      vi.advanceTimersByTime(12_000);
      expect(remote.beat()).toBe(12_000);
      rise();
      remote.beat();
      await vi.waitFor(() => expect(remote.beat()).toBeLessThan(1_000));
    } finally {
      vi.useRealTimers();
    }
  });

  it("answers like the keys themselves, and sends no secret", async () => {
    const { remote, crossed } = await connect(async () => signed);
    const { tradingKey, createKey, multisig, vault } = keys.of(agentIdOf("a"));
    const custody = { createKey: { address: createKey.address }, multisig, vault };
    expect(remote.feePayer).toEqual({ address: keys.feePayer.address });
    expect(remote.formerFeePayers).toEqual(
      keys.formerFeePayers.map(({ address }) => ({ address })),
    );
    expect(await remote.of(agentIdOf("a"))).toEqual({
      ...custody,
      tradingKey: { address: tradingKey.address },
    });
    expect(await remote.tradingKeyAt(agentIdOf("a"), tradingKey.address)).toEqual({
      address: tradingKey.address,
    });
    expect(await remote.tradingKeyAt(agentIdOf("a"), stranger)).toBeNull();
    expect(await remote.isTradingKey(agentIdOf("a"), tradingKey.address)).toBe(true);
    expect(await remote.isTradingKey(agentIdOf("b"), tradingKey.address)).toBe(false);
    expect(await remote.custodyOf(agentIdOf("a"), createKey.address)).toEqual(custody);
    expect(await remote.custodyOf(agentIdOf("a"), stranger)).toBeNull();
    const held = [keys.feePayer, tradingKey, createKey].flatMap((key) =>
      Object.values(key).flatMap((value: unknown) =>
        value instanceof Uint8Array ? [Buffer.from(value)] : [],
      ),
    );
    expect(held.length).toBeGreaterThan(0);
    const text = Buffer.concat(crossed).toString("latin1");
    for (const secret of held) {
      for (const form of ["hex", "base64", "latin1"] as const) {
        expect(text).not.toContain(secret.toString(form).replace(/=+$/, ""));
      }
    }
  });

  it("adds the create key's signature to a version 1 transaction of any length, for the owner alone", async () => {
    const { remote } = await connect(async () => signed);
    const { createKey } = keys.of(agentIdOf("a"));
    const creation = (owner: Address) =>
      compileV1Transaction({
        feePayer: owner,
        lifetime: { blockhash: stranger as never, lastValidBlockHeight: 150n },
        instructions: [
          creationBy(createKey.address, owner),
          instruction(SYSTEM_PROGRAM, [signing(owner)], Array(3_500).fill(1)),
        ],
        computeUnitLimit: 1,
        priorityFeeLamports: 0n,
      });
    const owner = owners[agentIdOf("a")] as Address;
    const transaction = creation(owner);
    expect(transaction.length).toBeGreaterThan(3_900);
    const cosigned = await remote.coSign(agentIdOf("a"), transaction);
    expect(unsignedSigners(cosigned, verifyEd25519)).toEqual([owner]);
    await expect(async () => remote.coSign(agentIdOf("a"), creation(stranger))).rejects.toThrow(
      "somebody else than the agent's owner",
    );
  });

  it("signs on request, and keeps the kind of every error", async () => {
    const errors = [
      new SigningRefusedError("Refused to sign: no"),
      new SigningRefusedError("Refused to sign: moved", { kind: "moved" }),
      new SigningRefusedError("Refused to sign: wide", { kind: "limited", limitBps: 50 }),
      new ChainUnavailableError("No node"),
      new TypeError("Broken"),
    ];
    const seen: SigningRequest[] = [];
    const { remote } = await connect(async (asked) => {
      seen.push(asked);
      const error = errors[seen.length - 2];
      if (error !== undefined) throw error;
      return signed;
    });
    expect(await remote.sign(request([order]))).toEqual(signed);
    expect(seen[0]).toMatchObject({
      agentId: agentIdOf("a"),
      purpose: "order",
      isUrgent: false,
      lifetime: { slot: 5n },
      instructions: [{ programAddress: stranger, data: Uint8Array.of(1, 2) }],
    });
    for (const kept of [
      { kind: "refused", limitBps: undefined },
      { kind: "moved", limitBps: undefined },
      { kind: "limited", limitBps: 50 },
    ]) {
      const refused = await remote.sign(request([order])).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(SigningRefusedError);
      expect(refused).toMatchObject(kept);
    }
    await expect(remote.sign(request([order]))).rejects.toThrow(ChainUnavailableError);
    await expect(remote.sign(request([order]))).rejects.toThrow("Broken");
  });

  it.each<[string, object]>([
    ["an unknown kind", { kind: "secret" }],
    ["a further field", { kind: "of", agentId: agentIdOf("a"), secret: true }],
    ["another purpose", { ...request([]), kind: "sign", purpose: "withdrawal", tables: [] }],
    ["no instruction", { ...request([]), kind: "sign", tables: [] }],
    ["too many instructions", { ...request(Array(17).fill(order)), kind: "sign", tables: [] }],
    [
      "too many bytes",
      { kind: "sign", ...request([{ ...order, data: new Uint8Array(1_233) }]), tables: [] },
    ],
    [
      "a role there is none of",
      {
        kind: "sign",
        ...request([{ ...order, accounts: [{ address: stranger, role: 4 as never }] }]),
        tables: [],
      },
    ],
    ["what is no address", { kind: "tradingKeyAt", agentId: agentIdOf("a"), address: "0OIl" }],
    ["an account of the caller's", { kind: "sign", ...request([order]), tables: [], account: {} }],
    ["no agent", { kind: "of", agentId: "" }],
  ])("refuses %s unread", async (_, call) => {
    const { ask } = await connect(() => Promise.reject(new Error("It was read")));
    expect(await ask({ id: 9, call })).toEqual({
      id: 9,
      error: { kind: "refused", message: "The signer does not know this call" },
    });
  });

  it("fails like an unavailable node while it is down, and signs again when it is back", async () => {
    const { remote, fall, die, rise } = await connect(async () => signed);
    fall();
    const cut = remote.sign(request([order]));
    die();
    await expect(cut).rejects.toThrow(ChainUnavailableError);
    await expect(remote.sign(request([order]))).rejects.toThrow("being started again");
    rise();
    expect(await remote.sign(request([order]))).toEqual(signed);
  });

  it("fails like an unavailable node while it hangs", async () => {
    const { remote, fall } = await connect(async () => signed, 20);
    expect(await remote.sign(request([order]))).toEqual(signed);
    fall();
    await expect(remote.sign(request([order]))).rejects.toThrow(ChainUnavailableError);
  });

  it("reports a hanging network in time, and signs for others meanwhile", async () => {
    const hangs = new Promise<typeof signed>(() => {});
    const sign = async ({ agentId }: SigningRequest) =>
      agentId === agentIdOf("a") ? hangs : signed;
    const { remote } = await connect(sign, 2_000, 20);
    const hanging = remote.sign(request([order]));
    expect(await remote.sign({ ...request([order]), agentId: agentIdOf("b") })).toEqual(signed);
    await expect(hanging).rejects.toThrow(ChainUnavailableError);
  });
});
