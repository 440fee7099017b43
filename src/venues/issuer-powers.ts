import type { Address, ReadonlyUint8Array } from "@solana/kit";
import { addressCodec } from "../solana/encoding/address-codec.ts";
import type { Chain } from "../solana/chain.ts";
import { SYSTEM_PROGRAM } from "../solana/programs/system.ts";
import { mintCodec, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../solana/programs/token.ts";
import { ISSUER_POWERS, type IssuerPower, type IssuedToken } from "../domain/issuer-power.ts";

/** Offset of a mint's first extension: the size of a token account and one byte for the kind of account. */
const EXTENSIONS_AT = 166;

/** Extension types of Token-2022. Source: solana-program/token-2022, interface/src/extension/mod.rs */
const TRANSFER_FEE = 1;
const PERMANENT_DELEGATE = 12;
const TRANSFER_HOOK = 14;
const PAUSABLE = 26;

/** Returns the mint's extensions: each is a type and a length of two bytes each, then its content. */
function* extensionsOf(data: ReadonlyUint8Array): Generator<readonly [number, Uint8Array]> {
  const bytes = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = EXTENSIONS_AT; at + 4 <= data.length;) {
    const [type, length] = [bytes.getUint16(at, true), bytes.getUint16(at + 2, true)];
    if (type === 0) return;
    yield [type, Uint8Array.from(data.slice(at + 4, at + 4 + length))];
    at += 4 + length;
  }
}

/** Returns whether an address of an extension is set; all zeroes mean nobody. */
const isSet = (content: Uint8Array, at: number): boolean =>
  content.length >= at + 32 && addressCodec.decode(content, at) !== SYSTEM_PROGRAM;

/** Returns what a mint's issuer can do, from the mint's own bytes. */
export function issuerPowersOf(data: ReadonlyUint8Array): readonly IssuerPower[] {
  const found = new Set<IssuerPower>();
  if (mintCodec.decode(data).freezeAuthority !== null) found.add("freeze");
  for (const [type, content] of extensionsOf(data)) {
    if (type === PERMANENT_DELEGATE && isSet(content, 0)) found.add("take_back");
    if (type === PAUSABLE && isSet(content, 0)) found.add("pause");
    // An authority without a program yet can name one later
    if (type === TRANSFER_HOOK && (isSet(content, 0) || isSet(content, 32))) found.add("hook");
    if (type === TRANSFER_FEE) found.add("fee");
  }
  return ISSUER_POWERS.filter((power) => found.has(power));
}

/** Returns those of the tokens whose issuers have powers, read from their mints. Throws `ChainUnavailableError`. */
export async function readIssuedTokens(
  chain: Pick<Chain, "accounts">,
  tokens: readonly { readonly symbol: string; readonly mint: Address }[],
): Promise<readonly IssuedToken[]> {
  const { accounts } = await chain.accounts(tokens.map(({ mint }) => mint));
  return tokens.flatMap(({ symbol }, at) => {
    const mint = accounts[at];
    const isMint = mint?.owner === TOKEN_PROGRAM || mint?.owner === TOKEN_2022_PROGRAM;
    const powers = isMint ? issuerPowersOf(mint.data) : [];
    return powers.length === 0 ? [] : [{ symbol, powers }];
  });
}
