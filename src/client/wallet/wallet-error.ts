/** Kind of a wallet failure. */
export type WalletErrorKind =
  | "not-ready"
  | "connection"
  | "disconnection"
  | "account"
  | "account-changed"
  | "not-connected"
  | "send-transaction"
  | "sign-transaction"
  | "sign-message"
  | "signed-other";

/** The wallet's error answer: a refusal is normal, busy means that its window is already open. */
export type WalletErrorCause =
  | "refused"
  | "busy"
  | "unauthorised"
  | "network"
  | "invalid"
  | "other";

const CAUSES: Readonly<Record<number, WalletErrorCause>> = {
  4001: "refused",
  4100: "unauthorised",
  4900: "network",
  [-32002]: "busy",
  [-32000]: "invalid",
  [-32003]: "invalid",
};

const TITLES: Readonly<Record<WalletErrorKind, string>> = {
  "not-ready": "Wallet not ready",
  connection: "Connection failed",
  disconnection: "Disconnection failed",
  account: "Wallet account missing",
  "account-changed": "Wallet account changed",
  "not-connected": "Wallet not connected",
  "send-transaction": "Transaction not sent",
  "sign-transaction": "Transaction not signed",
  "sign-message": "Message not signed",
  "signed-other": "Another text signed",
};

function describe(kind: WalletErrorKind, reason: WalletErrorCause, wallet: string): string {
  const called = / wallet$/i.test(wallet) ? wallet : `${wallet} wallet`;
  if (kind === "connection") return `Failed to connect to ${called}`;
  if (kind === "disconnection") return `Failed to disconnect from ${called}`;
  if (kind === "not-connected") return "Please connect your wallet and try again.";
  if (kind === "account-changed") {
    return `${wallet} shows another account now. Nothing was sent. Switch back to go on.`;
  }
  if (kind === "signed-other") {
    return `${wallet} signed another text than it was given. Nothing was changed.`;
  }
  if (kind === "sign-message" && (reason === "other" || reason === "invalid")) {
    return `${wallet} could not sign the message. A hardware wallet needs a Solana app that signs messages.`;
  }
  switch (reason) {
    case "refused":
      return `You refused the request in ${wallet}. Nothing was sent.`;
    case "busy":
      return `${wallet} already shows a request. Answer that one first.`;
    case "unauthorised":
      return `${wallet} has not allowed this page to use that account.`;
    case "network":
      return `${wallet} could not reach the network. Nothing was sent.`;
    case "invalid":
      return `${wallet} did not accept the request. Nothing was sent.`;
    case "other":
      return `${wallet} could not do that.`;
  }
}

function causeOf(thrown: unknown): WalletErrorCause {
  const code = (thrown as { code?: unknown } | null | undefined)?.code;
  if (typeof code === "number") return CAUSES[code] ?? "other";
  const text = thrown instanceof Error ? thrown.message : "";
  return /user rejected|user refused/i.test(text) ? "refused" : "other";
}

export class WalletError extends Error {
  override readonly name = "WalletError";
  readonly kind: WalletErrorKind;
  readonly reason: WalletErrorCause;
  readonly title: string;
  constructor(kind: WalletErrorKind, wallet: string, thrown?: unknown) {
    const reason = causeOf(thrown);
    super(describe(kind, reason, wallet), { cause: thrown });
    this.kind = kind;
    this.reason = reason;
    this.title = TITLES[kind];
  }
}

/** Returns whether the user refused in the wallet; a refusal is never retried. */
export function isRefusal(error: unknown): boolean {
  return error instanceof WalletError && error.reason === "refused";
}

/** Returns whether the wallet's account differs from the expected signer. */
export function isAccountChange(error: unknown): boolean {
  return error instanceof WalletError && error.kind === "account-changed";
}
