/** Wallets this product talks to. Wire name: walletType. */
export type WalletType = "phantom" | "practice";

export const WALLET_NAMES: Readonly<Record<WalletType, string>> = {
  phantom: "Phantom",
  practice: "Practice wallet",
};

/** Name inside a sentence such as "Your … wallet has been connected". */
export const WALLET_SHORT_NAMES: Readonly<Record<WalletType, string>> = {
  phantom: "Phantom",
  practice: "Practice",
};

/** `absent` is said only after the wallets had time to register. */
export type WalletStatus = "absent" | "disconnected" | "connecting" | "connected" | "disconnecting";

export interface WalletState {
  readonly status: WalletStatus;
  /** Wallets found in this browser. */
  readonly available: readonly WalletType[];
  readonly type: WalletType | null;
  /** Base58, empty unless connected. */
  readonly address: string;
}

/** What happened to the connection, for those who keep a session. */
export type WalletEvent =
  | {
      readonly kind: "connected";
      readonly type: WalletType;
      readonly address: string;
      readonly silently: boolean;
    }
  | { readonly kind: "account-changed"; readonly type: WalletType; readonly address: string }
  /** The wallet ended it by itself; a deliberate disconnect is told by the promise of `disconnect`. */
  | { readonly kind: "dropped"; readonly type: WalletType };
