import type { Chain } from "../../../solana/chain.ts";
import { multisigSize } from "../../../solana/programs/squads-accounts.ts";
import { rentOf } from "../../../solana/rent.ts";
import type { VenueInstance } from "../../../venues/venue.ts";

/** Bytes of a token account. */
const TOKEN_ACCOUNT_SIZE = 165;

/** What the accounts of an agent's custody cost, in lamports, as the chain asks now. */
export interface Rents {
  /** Of an empty account: a vault holds nothing or at least this. */
  readonly floor: bigint;
  readonly tokenAccount: bigint;
  /** Of a multisig with one member, which can never be recovered. */
  readonly multisig: bigint;
  /** What the vault pays for the venue's accounts. */
  readonly venueSetUp: bigint;
  /** What of the venue's accounts can never be recovered. */
  readonly venueUnrecoverable: bigint;
}

/** Reads what an agent's custody costs on a chain. Throws `ChainUnavailableError`. */
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
