/** A process that calls the signer: only `trading` may have orders signed. */
export type SignerCaller = "web" | "trading";

/** A Unix socket of the signer, one for each kind of caller. */
export interface SignerSocket {
  readonly caller: SignerCaller;
  readonly path: string;
  /** First message of every connection; who does not know it is cut off. */
  readonly word: string;
}

/** First message of a caller. */
export interface WordMessage {
  readonly word: string;
}

/** First message of the signer: whether the word was right. */
export interface WelcomeMessage {
  readonly welcome: boolean;
}
