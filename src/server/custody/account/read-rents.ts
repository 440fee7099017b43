import type { Chain } from "../../../solana/chain.ts";
import { multisigSize } from "../../../solana/programs/squads-accounts.ts";
import { rentOf } from "../../../solana/rent.ts";
import type { VenueInstance } from "../../../venues/venue.ts";

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
