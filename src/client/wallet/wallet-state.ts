/** Supported wallets. Wire name: walletType. */
export type WalletType = "phantom" | "practice" | "solflare";

export const WALLET_NAMES: Readonly<Record<WalletType, string>> = {
  phantom: "Phantom",
  practice: "Practice wallet",
  solflare: "Solflare",
};

export const isWalletType = (text: string): text is WalletType => Object.hasOwn(WALLET_NAMES, text);

/** Short name for sentences such as "Your … wallet has been connected". */
export const WALLET_SHORT_NAMES: Readonly<Record<WalletType, string>> = {
  phantom: "Phantom",
  practice: "Practice",
  solflare: "Solflare",
};

/** `absent` is set only after wallets had time to register. */
export type WalletStatus = "absent" | "disconnected" | "connecting" | "connected" | "disconnecting";

export interface WalletState {
  readonly status: WalletStatus;
  /** Wallets registered in this browser. */
  readonly available: readonly WalletType[];
  readonly type: WalletType | null;
  /** Base58, empty unless connected. */
  readonly address: string;
}

/** Event of the connection. */
export type WalletEvent =
  | {
      readonly kind: "connected";
      readonly type: WalletType;
      readonly address: string;
      readonly silently: boolean;
    }
  | { readonly kind: "account-changed"; readonly type: WalletType; readonly address: string }
  /** The wallet disconnected by itself; `disconnect` reports a requested disconnect through its promise */
  | { readonly kind: "dropped"; readonly type: WalletType };
