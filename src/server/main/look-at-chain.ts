import { createHash } from "node:crypto";
import type { Address } from "@solana/kit";
import { encodeBase58 } from "../../domain/base58.ts";
import type { RealNetwork } from "../../domain/network.ts";
import { ChainUnavailableError, rentOf } from "../../solana/chain.ts";
import { MAX_UNIT_PRICE_MICRO_LAMPORTS, unitPriceOf } from "../../solana/compute-limit.ts";
import { parseAddress } from "../../solana/encoding/address-codec.ts";
import { SQUADS_PROGRAM } from "../../solana/programs/squads.ts";
import { createNodeTransport } from "../../solana/rpc-ask.ts";
import { GENESIS_HASHES } from "../../solana/rpc-network.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import type { Venue } from "../../venues/ports.ts";
import { formatSol } from "../custody/account/custody-limits.ts";
import { readOwnTable } from "../custody/shared-table.ts";
import { LOW_LAMPORTS } from "../metrics/open-metrics.ts";
import type { NetworkRuntime } from "../networks.ts";
import type { Finding } from "../store/health/outside-looks.ts";
import {
  atLeast,
  BEHIND_MS,
  type Check,
  conclude,
  conclusions,
  type DoctorDeps,
  fail,
  NOT_SET,
  OPTIONAL,
  seconds,
} from "./check.ts";

/** A node of a network. It is named by its place in the setting, because its address may hold a key. */
interface Node {
  readonly network: RealNetwork;
  readonly url: string;
}

async function askNode(
  { post }: DoctorDeps,
  { network, url }: Node,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  const transport = createNodeTransport(url, (to, body, limits) =>
    post(to, body, { ...limits, timeoutMs: NODE_MS }),
  );
  const payload = { jsonrpc: "2.0", id: 1, method, params };
  const answer = await transport({ payload }).catch((error: unknown) => {
    if (!(error instanceof ChainUnavailableError)) throw error;
    const { message, trouble } = error;
    const mends = trouble === "refused" ? ": it refuses its key, or this country" : "";
    return fail(`${message.replace(/\.$/, "")}${mends} (RPC_URL_${network.toUpperCase()})`);
  });
  const { result } = answer as { readonly result?: unknown };
  return result ?? fail(`refuses to answer ${method}`);
}

/** Longest wait for one answer of a node, in milliseconds: a program's code may be ten million bytes. */
const NODE_MS = 15_000;

/** Returns the first bytes of an account, or all. */
async function bytesOf(deps: DoctorDeps, node: Node, address: string, length?: number) {
  const slice = length === undefined ? {} : { dataSlice: { offset: 0, length } };
  const params = [address, { encoding: "base64", commitment: "confirmed", ...slice }];
  const answer = await askNode(deps, node, "getAccountInfo", params);
  const { value } = answer as { readonly value?: { readonly data?: readonly string[] } | null };
  const bytes = Buffer.from(value?.data?.[0] ?? "", "base64");
  return bytes.length < (length ?? 1) ? fail(`there is no account ${address}`) : bytes;
}

const CLOCK_SYSVAR = "SysvarC1ock11111111111111111111111111111111";
const UNIX_TIME_AT = 32;

const nodeChecks = (deps: DoctorDeps, network: RealNetwork, aheadMs: number): readonly Check[] =>
  deps.config.rpcUrls[network].map((url, at, all) => {
    const look = async () => {
      const node = { network, url };
      const genesis = await askNode(deps, node, "getGenesisHash");
      if (genesis !== GENESIS_HASHES[network]) fail("serves another chain");
      const clock = await bytesOf(deps, node, CLOCK_SYSVAR, UNIX_TIME_AT + 8);
      const behindMs =
        deps.clock.now() - aheadMs - Number(clock.readBigInt64LE(UNIX_TIME_AT)) * 1_000;
      const slot = `slot ${clock.readBigUInt64LE(0)}`;
      return behindMs > BEHIND_MS
        ? fail(`is ${seconds(behindMs)} behind the chain, at ${slot}`)
        : slot;
    };
    return [`${network}: node ${at + 1} of ${all.length}`, look, OPTIONAL];
  });

/** First word of a program's account whose code lies in another one, the size of such an account, and where code begins. */
const UPGRADEABLE = 2;
const HOLDER_BYTES = 36;
const CODE_AT = 45;

/** Returns the digest of code without the zeros behind it, as `solana-verify` prints it. */
function digestOf(code: Buffer): string {
  const end = code.findLastIndex((byte) => byte !== 0) + 1;
  return createHash("sha256").update(code.subarray(0, end)).digest("hex");
}

/** Checks that a program's code is what was seen last; it is read only where the slot of its change is another. */
const programCheck = (deps: DoctorDeps, node: Node, of: string, program: Address): Check => {
  const name = `${node.network}: program of ${of}`;
  const look = async () => {
    const seen = deps.last.find((each) => each.name === name)?.seen;
    const [lastSlot, lastDigest] = seen?.split(" ") ?? [];
    const head = await bytesOf(deps, node, program, HOLDER_BYTES);
    const isUpgradeable = head.readUInt32LE(0) === UPGRADEABLE;
    const holder = isUpgradeable ? encodeBase58(head.subarray(4)) : program;
    const changed = isUpgradeable ? await bytesOf(deps, node, holder, CODE_AT) : null;
    const slot = String(changed?.readBigUInt64LE(4) ?? 0n);
    if (slot === lastSlot)
      return { text: `${lastDigest?.slice(0, 16)} as before`, ...(seen && { seen }) };
    const code = await bytesOf(deps, node, holder);
    const digest = digestOf(isUpgradeable ? code.subarray(CODE_AT) : code);
    const now = { text: `${digest.slice(0, 16)} of slot ${slot}`, seen: `${slot} ${digest}` };
    if (lastDigest === undefined || lastDigest === digest) return now;
    return fail(
      `changed to ${now.text}, before ${lastDigest.slice(0, 16)} of slot ${lastSlot}: read what its team says; operate doctor takes it as seen`,
      { seen: deps.isRead ? now.seen : (seen ?? "") },
    );
  };
  return [name, look];
};

/** Returns the addresses that a network's venues share; `onMissing` hears of each venue that does not tell its own. */
export async function sharedOf(
  { venues }: Pick<NetworkRuntime, "venues">,
  onMissing: (venue: string, error: ChainUnavailableError) => void,
): Promise<readonly Address[]> {
  const shared = [];
  for (const venue of venues.values()) {
    try {
      shared.push(...(await venue.sharedAddresses()));
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
      onMissing(venue.instance.name, error);
    }
  }
  return shared;
}

function chainChecks(deps: DoctorDeps, node: Node, runtime: NetworkRuntime): readonly Check[] {
  const { network } = node;
  const { chain, venues, lookupTable } = runtime;
  const instances = [...venues.values()].map(({ instance }) => instance);
  const feePayerName = `${network}: fee payer`;
  const feePayer = deps.feePayer ?? deps.last.find(({ name }) => name === feePayerName)?.seen;
  const shared = sharedOf(runtime, () => {});
  const unknown = () => fail("is known once a server has run", NOT_SET);
  const lookAtFeePayer = async () => {
    const address = parseAddress(feePayer ?? unknown());
    const lamports = (await chain.accounts([address])).accounts[0]?.lamports ?? 0n;
    const text = `${formatSol(lamports)} in ${address}`;
    if (lamports >= LOW_LAMPORTS) return { text, seen: address };
    const stops = lamports === 0n && { network };
    return fail(`${text}: send it SOL, it pays for every order`, { seen: address, ...stops });
  };
  const lookAtTable = async () => {
    const make = `operate lookup-table ${network}`;
    if (lookupTable === undefined) return fail(`${make} makes it`, NOT_SET);
    const held = await readOwnTable(chain, parseAddress(feePayer ?? unknown()), lookupTable);
    const lacks = (await shared).filter((each) => !held.includes(each)).length;
    return lacks > 0
      ? fail(`lacks ${lacks} addresses: ${make} adds them`)
      : `${held.length} addresses`;
  };
  const lookAtRent = async () => {
    const lamports = await rentOf(
      chain,
      instances.flatMap(({ setUpSizes }) => setUpSizes),
    );
    return `${formatSol(lamports)} for the accounts of an agent`;
  };
  const lookAtFees = async () => {
    const { capMicroLamports: cap, percentile } = deps.config.priorityFee;
    const recent = await chain.recentUnitPrices((await shared).slice(0, 100));
    const most = { percentile, capMicroLamports: MAX_UNIT_PRICE_MICRO_LAMPORTS };
    const asked = unitPriceOf(recent, 0n, most);
    const text = `${asked} micro-lamports asked, ${cap} offered at most`;
    return asked > cap ? fail(`${text}: orders land late, raise PRIORITY_FEE_CAP`) : text;
  };
  const lookAtVenue = async (venue: Venue) => {
    const { status, reason } = await venue.health();
    return status === "available" ? "takes entries" : fail(`${status}: ${reason}`);
  };
  return [
    ...[...venues.values()].map((venue): Check => {
      const { label } = VENUE_PROFILES[venue.id];
      return [`${network}: ${label}`, () => lookAtVenue(venue), OPTIONAL];
    }),
    programCheck(deps, node, "Squads", SQUADS_PROGRAM),
    ...[...venues.values()].map(({ id, instance }) =>
      programCheck(deps, node, VENUE_PROFILES[id].label, instance.programId),
    ),
    [feePayerName, lookAtFeePayer],
    [`${network}: lookup table`, lookAtTable],
    [`${network}: rent`, lookAtRent],
    [`${network}: priority fee`, lookAtFees, OPTIONAL],
  ];
}

export async function lookAtChain(
  deps: DoctorDeps,
  network: RealNetwork,
  aheadMs: number,
): Promise<readonly Finding[]> {
  const nodes = await conclusions(deps, nodeChecks(deps, network, aheadMs));
  const known = { network, of: "nodes", text: "nothing is traded or shown there, exits wait" };
  const enough = await conclude(deps, atLeast(1, nodes, `${network}: nodes`, known));
  const url = deps.config.rpcUrls[network][nodes.findIndex(({ state }) => state === "works")];
  const runtime = deps.networks.get(network);
  const checks =
    url === undefined || runtime === undefined ? [] : chainChecks(deps, { network, url }, runtime);
  return [...nodes, enough, ...(await conclusions(deps, checks))];
}
