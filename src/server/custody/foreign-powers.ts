import type { Address } from "@solana/kit";
import { addressCodec } from "../../solana/encoding/address-codec.ts";
import { formatDecimal } from "../../domain/amount.ts";
import { associatedTokenAddress } from "../../solana/programs/associated-token.ts";
import {
  type SpendingLimit,
  SPENDING_PERIOD,
  spendingLimitCodec,
} from "../../solana/programs/squads-accounts.ts";
import { SQUADS_PROGRAM } from "../../solana/programs/squads.ts";
import { TOKEN_PROGRAM, tokenAccountCodec } from "../../solana/programs/token.ts";
import { checkMultisig } from "./account/read-custody.ts";
import type { CustodyContext } from "./account/custody-context.ts";

/** Offset of the multisig's address in the account data, after the 8-byte discriminator. */
const MULTISIG_OFFSET = 8;

const PERIODS: Readonly<Record<number, string>> = {
  [SPENDING_PERIOD.oneTime]: "once",
  [SPENDING_PERIOD.day]: "a day",
  [SPENDING_PERIOD.week]: "a week",
  [SPENDING_PERIOD.month]: "a month",
};

/** Maximum number of sentences kept per agent; the owner has to check on chain anyway. */
const MOST_POWERS = 8;

/** Returns the members of an agent's multisig besides its owner. */
export async function readOtherMembers({
  account: { multisig, owner },
  createKey,
  runtime,
}: CustodyContext): Promise<readonly Address[]> {
  const [account] = (await runtime.chain.accounts([multisig])).accounts;
  const checked = account == null ? null : checkMultisig(account, { owner, createKey });
  if (checked === null || "mismatch" in checked) return [];
  return checked.multisig.members.map(({ key }) => key).filter((key) => key !== owner);
}

/**
 * Returns one sentence per party that may move funds of an agent's vault besides the owner and the agent's own trading
 * keys: the multisig's other members and its spending limits, whatever their create keys, and any delegate or close
 * authority of the vault's quote account.
 *
 * Null when the node cannot list accounts and the rest shows nothing.
 */
export async function readForeignPowers(
  context: CustodyContext,
  otherMembers: readonly Address[],
  isOurKey: (key: Address) => boolean | Promise<boolean>,
): Promise<readonly string[] | null> {
  const { account, runtime, venue } = context;
  const vaultQuote = associatedTokenAddress(account.vault, venue.instance.quote.mint);
  const bytes = new Uint8Array(addressCodec.encode(account.multisig));
  const [listed, read] = await Promise.all([
    runtime.chain.accountsOf(SQUADS_PROGRAM, { offset: MULTISIG_OFFSET, bytes }),
    runtime.chain.accounts([vaultQuote]),
  ]);
  const shown = [
    ...otherMembers.map(
      (key) => `${key} is a further member of the vault's multisig and may move everything in it.`,
    ),
    ...tokenPowers(vaultQuote, read.accounts[0]),
  ];
  if (listed === null) return shown.length === 0 ? null : shown.slice(0, MOST_POWERS);
  const limits: string[] = [];
  for (const { address, data } of listed) {
    const limit = readSpendingLimit(data);
    if (limit === null || limit.vaultIndex !== 0) continue;
    const isOurs = await Promise.all(limit.members.map(async (member) => isOurKey(member)));
    if (isOurs.includes(false)) limits.push(describeLimit(context, limit, address));
  }
  return [...shown, ...limits.toSorted()].slice(0, MOST_POWERS);
}

function readSpendingLimit(data: Uint8Array): SpendingLimit | null {
  try {
    return spendingLimitCodec.decode(data);
  } catch {
    return null;
  }
}

function describeLimit({ venue }: CustodyContext, limit: SpendingLimit, address: Address): string {
  const { quote } = venue.instance;
  const amount =
    limit.mint === quote.mint
      ? `${formatDecimal(limit.amount, quote.decimals)} ${quote.symbol}`
      : `${limit.amount} base units of ${limit.mint}`;
  const period = PERIODS[limit.period] ?? "at a time";
  return `A spending limit that was not set up here lets ${limit.members.join(", ")} move ${amount} ${period} out of the vault: ${address}.`;
}

function tokenPowers(
  address: Address,
  account: { readonly owner: Address; readonly data: Uint8Array } | null | undefined,
): readonly string[] {
  if (account == null || account.owner !== TOKEN_PROGRAM) return [];
  const { delegate, closeAuthority } = tokenAccountCodec.decode(account.data);
  return [
    ...(delegate === null ? [] : [`${delegate} may move tokens out of the vault: ${address}.`]),
    ...(closeAuthority === null
      ? []
      : [`${closeAuthority} may close the vault's token account: ${address}.`]),
  ];
}
