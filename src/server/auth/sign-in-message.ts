/** Fields of the text a wallet signs to sign in, all set by the server. Times in milliseconds. */
export interface SignInFields {
  readonly publicUrl: URL;
  readonly wallet: string;
  readonly nonce: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

const STATEMENT = "Sign in to Wheelhouse. This moves no funds and costs nothing.";

/** Writes the Sign In With Solana text, byte for byte what the wallet shows and signs. */
export function signInMessage(fields: SignInFields): string {
  return [
    `${fields.publicUrl.host} wants you to sign in with your Solana account:`,
    fields.wallet,
    "",
    STATEMENT,
    "",
    `URI: ${fields.publicUrl.origin}`,
    "Version: 1",
    "Chain ID: mainnet",
    `Nonce: ${fields.nonce}`,
    `Issued At: ${new Date(fields.issuedAt).toISOString()}`,
    `Expiration Time: ${new Date(fields.expiresAt).toISOString()}`,
  ].join("\n");
}
