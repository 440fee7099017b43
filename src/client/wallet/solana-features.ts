import type { Wallet, WalletAccount } from "@wallet-standard/base";
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
} from "@wallet-standard/features";
import type { Network } from "../../domain/network.ts";

export interface SignMessageFeature {
  readonly "solana:signMessage": {
    readonly version: "1.0.0" | "1.1.0";
    signMessage(
      ...inputs: readonly { account: WalletAccount; message: Uint8Array }[]
    ): Promise<readonly { signedMessage: Uint8Array; signature: Uint8Array }[]>;
  };
}

/** Signs a text in the envelope of an off-chain message of version 1, where a wallet signs no bytes as they are. */
export interface SignOffchainMessageFeature {
  readonly "solana:signOffchainMessage": {
    signOffchainMessage(input: {
      readonly account: WalletAccount;
      readonly message: string;
      readonly messageVersion: 1;
      readonly requiredSigners: readonly WalletAccount["publicKey"][];
    }): Promise<readonly { signedOffchainMessage: Uint8Array; signature: Uint8Array }[]>;
  };
}

/** Transaction version as wallets list it; the page creates no others. */
export type TransactionVersion = "legacy" | 0 | 1;

const KNOWN_VERSIONS: readonly TransactionVersion[] = ["legacy", 0, 1];

interface TransactionInput {
  readonly account: WalletAccount;
  readonly transaction: Uint8Array;
  readonly chain: `${string}:${string}`;
}

export interface SignTransactionFeature {
  readonly "solana:signTransaction": {
    readonly version: "1.0.0";
    readonly supportedTransactionVersions: readonly TransactionVersion[];
    signTransaction(
      ...inputs: readonly TransactionInput[]
    ): Promise<readonly { signedTransaction: Uint8Array }[]>;
  };
}

export interface SignAndSendTransactionFeature {
  readonly "solana:signAndSendTransaction": {
    readonly version: "1.0.0";
    readonly supportedTransactionVersions: readonly TransactionVersion[];
    signAndSendTransaction(
      ...inputs: readonly TransactionInput[]
    ): Promise<readonly { signature: Uint8Array }[]>;
  };
}

interface SignInInput {
  readonly domain?: string;
  readonly address?: string;
  readonly statement?: string;
  readonly nonce?: string;
}

export interface SignInFeature {
  readonly "solana:signIn": {
    readonly version: "1.0.0";
    signIn(...inputs: readonly SignInInput[]): Promise<
      readonly {
        account: WalletAccount;
        signedMessage: Uint8Array;
        signature: Uint8Array;
      }[]
    >;
  };
}

export type UsableFeatures = StandardConnectFeature &
  Partial<StandardDisconnectFeature> &
  StandardEventsFeature &
  Partial<
    SignMessageFeature &
      SignOffchainMessageFeature &
      SignTransactionFeature &
      SignAndSendTransactionFeature
  >;

export type UsableWallet = Wallet & { readonly features: UsableFeatures };

/** Returns whether the wallet has all features a session needs: one that signs no messages signs in by a transaction. */
export function isUsable({ features }: Wallet): boolean {
  return (
    "standard:connect" in features &&
    "standard:events" in features &&
    ("solana:signMessage" in features || "solana:signTransaction" in features)
  );
}

/** Returns the versions supported by both signing features, as far as the wallet offers both. */
export function transactionVersionsOf({ features }: UsableWallet): readonly TransactionVersion[] {
  const lists = [features["solana:signTransaction"], features["solana:signAndSendTransaction"]]
    .filter((feature) => feature !== undefined)
    .map(({ supportedTransactionVersions }) => supportedTransactionVersions);
  return KNOWN_VERSIONS.filter(
    (version) => lists.length > 0 && lists.every((list) => list.includes(version)),
  );
}

/** Returns the Wallet Standard's chain id of a network. */
export function chainOf(network: Network): `solana:${Network}` {
  return `solana:${network}`;
}
