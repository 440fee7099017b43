import type { Address } from "@solana/kit";
import { AppError } from "../../../contract/errors.ts";
import { parseAddress } from "../../../solana/encoding/address-codec.ts";
import type { Venue } from "../../../venues/ports.ts";
import type { VenueAccount, VaultAsset } from "../../../venues/venue.ts";
import { type MultisigRecord, readLandedSlot } from "../../store/agents/agents.ts";
import type { CustodyAgent } from "../../store/custody/multisigs.ts";
import type { Db } from "../../store/postgres/db.ts";
import { findVenue, type NetworkRuntime, type Networks } from "../../networks.ts";
import { toVenueAccount } from "./venue-account.ts";
import type { OwnerAddress } from "../../../domain/ids.ts";
import { type Account, type Chain, ChainUnavailableError } from "../../../solana/chain.ts";
import { associatedTokenAddress } from "../../../solana/programs/associated-token.ts";
import { tokenAccountCodec } from "../../../solana/programs/token.ts";

/** An agent whose custody is planned, with its network, venue and accounts. */
export interface CustodyContext {
  readonly agent: CustodyAgent;
  readonly record: MultisigRecord;
  readonly account: VenueAccount;
  readonly createKey: Address;
  readonly runtime: NetworkRuntime;
  readonly venue: Venue;
}

/** Returns the network and venue of an agent. Throws when this deployment does not offer them. */
export function findHome(
  networks: Networks,
  agent: CustodyAgent,
): { readonly runtime: NetworkRuntime; readonly venue: Venue } {
  const runtime = networks.get(agent.network);
  if (runtime === undefined) throw new AppError("network_disabled");
  const venue = findVenue(networks, agent);
  if (venue === undefined) throw new AppError("venue_unavailable");
  return { runtime, venue };
}

/** Returns the agent's context, or null without an agent and before its custody was planned. */
export function findContext(networks: Networks, agent: CustodyAgent | null): CustodyContext | null {
  const account = agent && toVenueAccount(agent);
  if (agent === null || account === null || agent.multisig === null) return null;
  const createKey = parseAddress(agent.multisig.createKey);
  return { agent, record: agent.multisig, account, createKey, ...findHome(networks, agent) };
}

/**
 * Returns the context to plan and judge an account by: where the node used now has not seen the agent's newest fill,
 * everything is read of nodes that have. Throws `ChainUnavailableError`.
 */
export async function sinceNewestFill(db: Db, context: CustodyContext): Promise<CustodyContext> {
  const { agent, runtime, venue, account } = context;
  const slot = await readLandedSlot(db, agent.agentId);
  if (slot === 0n || runtime.since === undefined) return context;
  if ((await venue.accountState(account)).slot >= slot) return context;
  const later = runtime.since(slot);
  return { ...context, runtime: later, venue: later.venues.get(venue.id) ?? venue };
}

/** Holdings of a wallet, in base units. */
interface OwnerHoldings {
  readonly ownerLamports: bigint;
  readonly ownerQuote: bigint;
  /** The requested assets that the wallet holds. */
  readonly assets: readonly { readonly asset: VaultAsset; readonly held: bigint }[];
}

const amountOf = (account: Account | null | undefined): bigint =>
  account == null ? 0n : tokenAccountCodec.decode(account.data).amount;

/** Reads a wallet's lamports, quote token and assets; null when the chain could not be read. */
export async function readOwner(
  chain: Chain,
  owner: OwnerAddress,
  quoteMint: Address,
  wanted: readonly VaultAsset[] = [],
): Promise<OwnerHoldings | null> {
  const wallet = parseAddress(owner);
  try {
    const { accounts } = await chain.accounts([
      wallet,
      associatedTokenAddress(wallet, quoteMint),
      ...wanted.map(({ mint, tokenProgram }) => associatedTokenAddress(wallet, mint, tokenProgram)),
    ]);
    const [account, quote, ...others] = accounts;
    return {
      ownerLamports: account?.lamports ?? 0n,
      ownerQuote: amountOf(quote),
      assets: wanted
        .map((asset, at) => ({ asset, held: amountOf(others[at]) }))
        .filter(({ held }) => held > 0n),
    };
  } catch (error) {
    if (error instanceof ChainUnavailableError) return null;
    throw error;
  }
}
