import type { TokenDelta } from "../../solana/chain.ts";
import { TOKEN_ACCOUNT_SIZE, TOKEN_PROGRAM } from "../../solana/programs/token.ts";
import type { AccountState, Overlay, ReadAccount } from "./account-state.ts";
import { readAddress, readU64 } from "./bytes.ts";
import type { AccountMeta } from "./program.ts";

function holdingOf(state: AccountState | undefined) {
  if (state?.owner !== TOKEN_PROGRAM || state.data.length !== TOKEN_ACCOUNT_SIZE) return undefined;
  return {
    mint: readAddress(state.data, 0),
    owner: readAddress(state.data, 32),
    amount: readU64(state.data, 64),
  };
}

/** Returns the balance change of every token account in the transaction, including created and closed ones. */
export function tokenDeltasOf(
  metas: readonly AccountMeta[],
  before: ReadAccount,
  after: Overlay,
): readonly TokenDelta[] {
  return metas.flatMap(({ address, isWritable }) => {
    if (!isWritable) return [];
    const earlier = holdingOf(before(address));
    const later = holdingOf(after.get(address));
    const holding = later ?? earlier;
    if (holding === undefined) return [];
    const delta = (later?.amount ?? 0n) - (earlier?.amount ?? 0n);
    if (delta === 0n) return [];
    return [{ account: address, mint: holding.mint, owner: holding.owner, delta }];
  });
}
