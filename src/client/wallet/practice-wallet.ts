import type { Wallet } from "@wallet-standard/base";
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
} from "@wallet-standard/features";
import { decodeBase58 } from "../../domain/base58.ts";
import { toBase64 } from "../lib/base64.ts";
import {
  createPracticeAccount,
  PRACTICE_CHAIN,
  type PracticeAccount,
  type PracticeAccountDeps,
} from "./practice-account.ts";
import type {
  SignAndSendTransactionFeature,
  SignInFeature,
  SignMessageFeature,
  SignTransactionFeature,
} from "./solana-features.ts";
import { WALLET_NAMES } from "./wallet-state.ts";

interface PracticeWalletDeps extends PracticeAccountDeps {
  /** Submits a signed transaction, base64, to the practice network; returns its base58 signature. */
  readonly send: (transaction: string) => Promise<string>;
}

type ConnectFeatures = StandardConnectFeature & StandardDisconnectFeature & StandardEventsFeature;

type SignFeatures = SignMessageFeature &
  SignInFeature &
  SignTransactionFeature &
  SignAndSendTransactionFeature;

const VERSIONS = ["legacy", 0, 1] as const;
const ICON =
  "data:image/svg+xml;base64,PHN2ZyB4bWxucz0naHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnIHZpZXdCb3g9JzAgMCAyNCAyNCc+PHJlY3Qgd2lkdGg9JzI0JyBoZWlnaHQ9JzI0JyByeD0nNicgZmlsbD0nI2YzYmI1YycvPjxwYXRoIGQ9J005IDVoNk0xMCA1djVsLTQgOGgxMmwtNC04VjUnIGZpbGw9J25vbmUnIHN0cm9rZT0nIzJhMjAwZCcgc3Ryb2tlLXdpZHRoPScyJy8+PC9zdmc+" as const;

function connectFeatures(account: PracticeAccount): ConnectFeatures {
  return {
    "standard:connect": { version: "1.0.0", connect: account.connect },
    "standard:disconnect": {
      version: "1.0.0",
      async disconnect() {
        account.disconnect();
      },
    },
    "standard:events": {
      version: "1.0.0",
      on: (_event, listener) => account.onChange(listener),
    },
  };
}

function signInFeature(account: PracticeAccount): SignInFeature {
  return {
    "solana:signIn": {
      version: "1.0.0",
      async signIn(...inputs) {
        const { accounts } = await account.connect();
        const [signer] = accounts;
        if (!signer) throw new Error("The practice wallet has no account");
        return Promise.all(
          inputs.map(async ({ domain, statement, nonce }) => {
            const text = [
              `${domain ?? location.host} wants you to sign in with your Solana account:`,
              signer.address,
              ...(statement ? ["", statement] : []),
              ...(nonce ? ["", `Nonce: ${nonce}`] : []),
            ].join("\n");
            const signed = await account.signText(new TextEncoder().encode(text));
            return { account: signer, ...signed };
          }),
        );
      },
    },
  };
}

function signFeatures(account: PracticeAccount, send: PracticeWalletDeps["send"]): SignFeatures {
  return {
    ...signInFeature(account),
    "solana:signMessage": {
      version: "1.1.0",
      signMessage: (...inputs) =>
        Promise.all(inputs.map(({ message }) => account.signText(message))),
    },
    "solana:signTransaction": {
      version: "1.0.0",
      supportedTransactionVersions: VERSIONS,
      signTransaction: (...inputs) =>
        Promise.all(
          inputs.map(async ({ transaction, chain }) => ({
            signedTransaction: await account.signBytes(transaction, chain),
          })),
        ),
    },
    "solana:signAndSendTransaction": {
      version: "1.0.0",
      supportedTransactionVersions: VERSIONS,
      signAndSendTransaction: (...inputs) =>
        Promise.all(
          inputs.map(async ({ transaction, chain }) => {
            const signed = await account.signBytes(transaction, chain);
            const signature = decodeBase58(await send(toBase64(signed)), 64);
            if (signature === null) throw new Error("The network answered no signature");
            return { signature };
          }),
        ),
    },
  };
}

/** Creates the in-page practice wallet: like an extension, with Ed25519 signatures and one approval per request. */
export function createPracticeWallet(
  deps: PracticeWalletDeps,
): Wallet & { features: ConnectFeatures & SignFeatures } {
  const account = createPracticeAccount(deps);
  return {
    version: "1.0.0",
    name: WALLET_NAMES.practice,
    icon: ICON,
    chains: [PRACTICE_CHAIN],
    get accounts() {
      return account.accounts();
    },
    features: { ...connectFeatures(account), ...signFeatures(account, deps.send) },
  };
}
