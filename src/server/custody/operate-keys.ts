import type { Clock } from "../../domain/clock.ts";
import type { AgentId, OwnerAddress } from "../../domain/ids.ts";
import { parseAddress } from "../../solana/encoding/address-codec.ts";
import type { Db } from "../store/postgres/db.ts";
import { type CustodyAgent, listAttachedAgents } from "../store/custody/multisigs.ts";
import { replaceTradingKey, withdrawTradingKey } from "../store/custody/trading-keys.ts";
import { OperationError, landTransaction, type OperationDeps } from "./land-transaction.ts";
import type { CustodyKeys } from "./account/custody-keys.ts";
import type { Address } from "@solana/kit";
import type { Keypair } from "../../solana/encoding/keys.ts";
import { transferLamports } from "../../solana/programs/system.ts";
import { SIGNATURE_FEE_LAMPORTS } from "./account/custody-limits.ts";

export interface KeyOperation {
  readonly db: Db;
  readonly keys: CustodyKeys;
  readonly clock: Clock;
}

/** One agent's trading key as listed for an operator. */
export interface ListedKey {
  readonly agentId: AgentId;
  readonly owner: OwnerAddress;
  readonly tradingKey: string;
  /**
   * `present` signs; `retired` waits for its replacement; `withdrawn` was revoked; `foreign` was derived from no known
   * secret.
   */
  readonly state: "present" | "retired" | "withdrawn" | "foreign";
}

const REPLACED =
  "The operator replaced this agent's trading key. Approve the new one in the agent's set-up; until then nothing is traded.";

const WITHDRAWN =
  "The operator withdrew this agent's trading key: nothing is signed with it any more. Revoke it on chain too, with your wallet.";

/** Returns the named agents with custody, or all of them. Throws for an id without custody. */
export async function findAgents(
  { db }: Pick<KeyOperation, "db">,
  ids: readonly string[] | "all",
): Promise<readonly CustodyAgent[]> {
  const attached = await listAttachedAgents(db);
  if (ids === "all") return attached;
  return ids.map((id) => {
    const found = attached.find(({ agentId }) => agentId === id);
    if (found === undefined) throw new OperationError(`${id} is no agent with custody.`);
    return found;
  });
}

/** Lists the trading keys on record. */
export async function listKeys(deps: KeyOperation): Promise<readonly ListedKey[]> {
  return (await findAgents(deps, "all")).map((agent) => ({
    agentId: agent.agentId,
    owner: agent.owner,
    tradingKey: agent.multisig?.tradingKey ?? "",
    state: stateOf(deps.keys, agent),
  }));
}

function stateOf(keys: CustodyKeys, { agentId, multisig }: CustodyAgent): ListedKey["state"] {
  if (multisig === null) return "foreign";
  if (multisig.keyRevokedAt !== null) return "withdrawn";
  const tradingKey = parseAddress(multisig.tradingKey);
  if (keys.tradingKeyAt(agentId, tradingKey) !== null) return "present";
  return keys.isTradingKey(agentId, tradingKey) ? "retired" : "foreign";
}

/** Replaces each agent's trading key by its successor and notifies the owner. Returns the number of replaced keys. */
export async function rotateKeys(
  { db, keys, clock }: KeyOperation,
  agents: readonly CustodyAgent[],
): Promise<number> {
  for (const agent of agents) {
    const present = parseAddress(agent.multisig?.tradingKey ?? "");
    const { address } = keys.tradingKeyAfter(agent.agentId, present);
    await replaceTradingKey(db, agent, address, { atMs: clock.now(), text: REPLACED });
  }
  return agents.length;
}

/** Revokes the trading keys of these agents and notifies their owners. Returns the number of keys newly revoked. */
export async function revokeKeys(
  { db, clock }: Pick<KeyOperation, "db" | "clock">,
  agents: readonly CustodyAgent[],
): Promise<number> {
  let count = 0;
  for (const agent of agents) {
    const isNews = await withdrawTradingKey(db, agent, { atMs: clock.now(), text: WITHDRAWN });
    if (isNews) count += 1;
  }
  return count;
}

/** Transfers all SOL of a retired fee payer to the present one. Returns the lamports that arrived. */
export async function sweepFeePayer(
  deps: OperationDeps,
  former: Keypair,
  to: Address,
): Promise<bigint> {
  const [account] = (await deps.chain.accounts([former.address])).accounts;
  const held = account?.lamports ?? 0n;
  if (held <= SIGNATURE_FEE_LAMPORTS) return 0n;
  let lamports = 0n;
  await landTransaction(deps, former, `Emptying the fee payer ${former.address}`, (fee) => {
    lamports = held > fee ? held - fee : 0n;
    return [transferLamports({ from: former.address, to }, lamports)];
  });
  return lamports;
}
