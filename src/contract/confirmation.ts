/** Header with a nonce and the wallet's base58 signature over its message, separated by a space. */
export const CONFIRMATION_HEADER = "x-wheelhouse-confirmation";

/** What the wallet must sign before a call is repeated with `CONFIRMATION_HEADER`. */
export interface Confirmation {
  readonly nonce: string;
  readonly message: string;
}
