import type { AgentId } from "../../../domain/ids.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import { readWire, instructionsOf } from "../../../solana/wire.ts";
import type { AgentKeys, CustodyKeys } from "../account/custody-keys.ts";
import { type TradingKeySigner, SigningRefusedError } from "../account/trading-key-signer.ts";
import { within } from "../../pacing/big-reads.ts";
import type { AskedNodes } from "../../pacing/asked-nodes.ts";
import { type SignerAnswer, type SignerCall, signerRequest } from "./signer-calls.ts";
import type { NumberedCall } from "./signer-turns.ts";
import type { Address } from "@solana/kit";
import {
  squadsArguments,
  deriveMultisig,
  SQUADS_PROGRAM,
} from "../../../solana/programs/squads.ts";

/**
 * Maximum duration of one signature in milliseconds. It is shorter than callers wait: they kill a signer that is
 * silent for longer, and one unresponsive network must not stop signatures for the others.
 */
const SIGN_MS = 20_000;

const addressOf = <T extends { readonly address: string }>(key: T | null) =>
  key === null ? null : { address: key.address };

function toAnswer(error: unknown): Extract<SignerAnswer, { error: unknown }>["error"] {
  const { message } = error as Error;
  if (error instanceof SigningRefusedError) {
    const { kind, limitBps, untilMs } = error;
    return { kind, message, limitBps, untilMs };
  }
  return { kind: error instanceof ChainUnavailableError ? "unavailable" : "failed", message };
}

/** Copied field by field: the source object also holds private keys. */
const custodyOf = ({ createKey, multisig, vault }: Omit<AgentKeys, "tradingKey">) => ({
  createKey: addressOf(createKey),
  multisig,
  vault,
});

interface AnswerOptions {
  readonly signMs?: number;
  /** Returns what the signer asked of nodes since the last time: trading paces its own requests by it. */
  readonly takeAsked?: () => AskedNodes;
}

/** What signs orders, and who the signer itself reads as an agent's owner: null where there is no such agent. */
export interface SignerWork extends Pick<TradingKeySigner, "sign"> {
  ownerOf(agentId: AgentId): Promise<string | null>;
}

/** Creates the handler for calls to the process that holds the keys. Only addresses and signatures leave. */
export function createCallAnswers(
  keys: CustodyKeys,
  signer: SignerWork,
  { signMs = SIGN_MS, takeAsked }: AnswerOptions = {},
): (message: NumberedCall) => Promise<SignerAnswer> {
  const coSign = async (agentId: AgentId, transaction: Uint8Array): Promise<Uint8Array> => {
    const named = readWire(transaction).signers.map(({ address }) => address);
    const createKey = named.find((address) => keys.custodyOf(agentId, address) !== null);
    const refusal =
      createKey === undefined
        ? null
        : refuseCoSignature(transaction, createKey, await signer.ownerOf(agentId));
    if (refusal !== null) throw new SigningRefusedError(`Refused to sign: ${refusal}`);
    return keys.coSign(agentId, transaction);
  };

  const answer = async (call: SignerCall): Promise<unknown> => {
    switch (call.kind) {
      case "payers":
        return {
          feePayer: keys.feePayer.address,
          formerFeePayers: keys.formerFeePayers.map(({ address }) => address),
        };
      case "of": {
        const made = keys.of(call.agentId);
        return { ...custodyOf(made), tradingKey: addressOf(made.tradingKey) };
      }
      case "tradingKeyAt":
        return addressOf(keys.tradingKeyAt(call.agentId, call.address));
      case "isTradingKey":
        return keys.isTradingKey(call.agentId, call.address);
      case "custodyOf": {
        const custody = keys.custodyOf(call.agentId, call.createKey);
        return custody === null ? null : custodyOf(custody);
      }
      case "coSign":
        return within(signMs, coSign(call.agentId, call.transaction));
      case "sign":
        return within(signMs, signer.sign(call));
    }
  };

  return async (message) => {
    const asked = signerRequest.safeParse(message);
    const { id } = message;
    if (!asked.success) {
      return { id, error: { kind: "refused", message: "The signer does not know this call" } };
    }
    const { call } = asked.data;
    const outcome = await answer(call).then(
      (value) => ({ id, value }),
      (error: unknown) => ({ id, error: toAnswer(error) }),
    );
    return call.kind === "sign" && takeAsked ? { ...outcome, asked: takeAsked() } : outcome;
  };
}

/** Accounts of a multisig's creation, in the program's order. */
const CREATION_ACCOUNTS = 6;

/** All permissions of a member: propose, vote and execute. */
const ALL_PERMISSIONS = 7;

function readCreation(data: Uint8Array) {
  const { multisigCreateV2 } = squadsArguments;
  try {
    const creation = multisigCreateV2.decode(data);
    // Decoding ignores bytes behind the arguments
    return multisigCreateV2.encode(creation).length === data.length ? creation : null;
  } catch {
    return null;
  }
}

/**
 * Returns why a create key must not sign a transaction, or null where it may: the transaction names it once, in the
 * creation of its own multisig, of which the agent's owner pays as its creator and is the only member, the authority and
 * who gets the rent. Other instructions are the owner's business, who signs them. Throws on malformed bytes.
 */
export function refuseCoSignature(
  transaction: Uint8Array,
  createKey: Address,
  owner: string | null,
): string | null {
  const { message } = readWire(transaction);
  const { staticAccounts } = message;
  const at = staticAccounts.indexOf(createKey);
  if (at === 0) return "the create key pays nothing";
  const naming = instructionsOf(message).filter(
    ({ programIndex, accountIndexes }) => programIndex === at || accountIndexes.includes(at),
  );
  const [only] = naming;
  if (naming.length !== 1 || only === undefined) return "it does not create one multisig";
  const creation = readCreation(only.data);
  if (staticAccounts[only.programIndex] !== SQUADS_PROGRAM || creation === null) {
    return "it does not create a multisig";
  }
  const [, , multisig, key, creator] = only.accountIndexes.map((index) => staticAccounts[index]);
  if (
    only.accountIndexes.length !== CREATION_ACCOUNTS ||
    key !== createKey ||
    multisig !== deriveMultisig(createKey).address
  ) {
    return "it creates another multisig";
  }
  const { configAuthority, threshold, members, timeLock, rentCollector } = creation;
  const [member] = members;
  const isOwners =
    creator === owner &&
    members.length === 1 &&
    member?.key === owner &&
    member.permissions === ALL_PERMISSIONS &&
    configAuthority === owner &&
    rentCollector === owner &&
    threshold === 1 &&
    timeLock === 0;
  return isOwners ? null : "somebody else than the agent's owner gets power over the multisig";
}
