/** Header that carries a nonce and the wallet's signature in base58 over its message, with a space between. */
export const CONFIRMATION_HEADER = "x-wheelhouse-confirmation";

/** What the wallet has to sign before a call is repeated with `CONFIRMATION_HEADER`. */
export interface Confirmation {
  readonly nonce: string;
  readonly message: string;
}
