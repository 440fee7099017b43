import { AppError } from "../../../contract/errors.ts";
import { type Account, type Chain, rentOf } from "../../../solana/chain.ts";
import { associatedTokenAddress } from "../../../solana/programs/associated-token.ts";
import {
  type Multisig,
  multisigSize,
  multisigCodec,
} from "../../../solana/programs/squads-accounts.ts";
import { tokenAccountCodec } from "../../../solana/programs/token.ts";
import type { PlanStep } from "../../../venues/plan-step.ts";
import type { CustodyContext } from "./custody-context.ts";
import type { VenueInstance } from "../../../venues/venue.ts";
import type { Address } from "@solana/kit";
import { SQUADS_PROGRAM } from "../../../solana/programs/squads.ts";

/** State of one agent's custody on chain. Amounts in lamports and quote base units. */
export interface CustodyState {
  readonly slot: bigint;
  /** Null before it was created; its configuration is verified. */
  readonly multisig: Multisig | null;
  readonly vaultLamports: bigint;
  readonly ownerLamports: bigint;
  readonly ownerQuote: bigint;
  readonly ownerHasQuoteAccount: boolean;
  readonly vaultHasQuoteAccount: boolean;
  /** Quote base units in the vault itself, outside the venue. */
  readonly vaultQuote: bigint;
  /** Lamports in the multisig's account; 0 before it was created. */
  readonly multisigLamports: bigint;
  readonly rents: Rents;
  /** Rent of the vault's quote account, 0 without one. */
  readonly vaultQuoteLamports: bigint;
}

/** Reads an agent's custody. Throws `multisig_mismatch` when the account at its address differs from the plan. */
export async function readCustody(context: CustodyContext): Promise<CustodyState> {
  const { account, venue, runtime } = context;
  const { mint } = venue.instance.quote;
  const [{ slot, accounts }, rents] = await Promise.all([
    runtime.chain.accounts([
      account.multisig,
      account.vault,
      account.owner,
      associatedTokenAddress(account.owner, mint),
      associatedTokenAddress(account.vault, mint),
    ]),
    readRents(runtime.chain, venue.instance),
  ]);
  const [multisig, vault, owner, ownerQuote, vaultQuote] = accounts;
  return {
    slot,
    multisig: multisig ? requireShape(multisig, context) : null,
    multisigLamports: multisig?.lamports ?? 0n,
    rents,
    vaultLamports: vault?.lamports ?? 0n,
    ownerLamports: owner?.lamports ?? 0n,
    ownerQuote: ownerQuote ? tokenAccountCodec.decode(ownerQuote.data).amount : 0n,
    ownerHasQuoteAccount: ownerQuote != null,
    vaultHasQuoteAccount: vaultQuote != null,
    vaultQuote: vaultQuote ? tokenAccountCodec.decode(vaultQuote.data).amount : 0n,
    vaultQuoteLamports: vaultQuote?.lamports ?? 0n,
  };
}

function requireShape(
  account: Account,
  { account: { owner }, createKey }: CustodyContext,
): Multisig {
  const checked = checkMultisig(account, { owner, createKey });
  if ("multisig" in checked) return checked.multisig;
  throw new AppError("multisig_mismatch", {
    message: `The multisig on chain is not the one this agent was set up with: ${checked.mismatch}.`,
  });
}

/** Returns the venue's remaining set-up steps, from the chain's present state. */
export async function readVenueSetUp(context: CustodyContext): Promise<readonly PlanStep[]> {
  return context.venue.planSetUp(context.account, context.agent.name);
}

/** Size of a token account in bytes. */
const TOKEN_ACCOUNT_SIZE = 165;

/** Current rents of an agent's custody accounts, in lamports. */
export interface Rents {
  /** Rent of an empty account: a vault holds nothing or at least this. */
  readonly floor: bigint;
  readonly tokenAccount: bigint;
  /** Rent of a multisig with one member; never recoverable. */
  readonly multisig: bigint;
  /** Rent the vault pays for the venue's accounts. */
  readonly venueSetUp: bigint;
  /** The part of the venue's rent that is never recoverable. */
  readonly venueUnrecoverable: bigint;
}

/** Reads the rents of an agent's custody on a chain. Throws `ChainUnavailableError`. */
export async function readRents(
  chain: Pick<Chain, "minimumBalance">,
  { setUpSizes, unrecoverableSizes }: VenueInstance,
): Promise<Rents> {
  const [floor, tokenAccount, multisig, venueSetUp, venueUnrecoverable] = await Promise.all([
    chain.minimumBalance(0),
    chain.minimumBalance(TOKEN_ACCOUNT_SIZE),
    chain.minimumBalance(multisigSize(1)),
    rentOf(chain, setUpSizes),
    rentOf(chain, unrecoverableSizes),
  ]);
  return { floor, tokenAccount, multisig, venueSetUp, venueUnrecoverable };
}

/** Initiate, vote and execute. */
const ALL_PERMISSIONS = 7;

/**
 * Returns the multisig when it has exactly the configuration custody relies on, otherwise the first mismatch.
 *
 * The owner is a member with every permission; threshold 1; no time lock; config authority and rent collector the owner;
 * the create key the one recorded before the owner signed. Further members take nothing of that from the owner: they are
 * told as unknown powers, and closing and withdrawing go on.
 */
export function checkMultisig(
  account: Account,
  planned: { readonly owner: Address; readonly createKey: Address },
): { readonly multisig: Multisig } | { readonly mismatch: string } {
  if (account.owner !== SQUADS_PROGRAM) return { mismatch: "it does not belong to Squads" };
  let multisig: Multisig;
  try {
    multisig = multisigCodec.decode(account.data);
  } catch {
    return { mismatch: "it is not a multisig" };
  }
  const member = multisig.members.find(({ key }) => key === planned.owner);
  const mismatch =
    (multisig.createKey !== planned.createKey && "its create key is another one") ||
    (multisig.threshold !== 1 && "its threshold is not 1") ||
    (member === undefined && "the owner is no member of it") ||
    (member?.permissions !== ALL_PERMISSIONS && "the owner may not do everything in it") ||
    (multisig.configAuthority !== planned.owner && "its config authority is not the owner") ||
    (multisig.timeLock !== 0 && "it has a time lock") ||
    (multisig.rentCollector !== planned.owner && "its rent collector is not the owner");
  return mismatch === false ? { multisig } : { mismatch };
}
