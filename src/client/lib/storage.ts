import * as z from "zod/mini";
import { chatId, ownerAddress } from "../../contract/fields.ts";
import { storedText, storedValue } from "./stored.ts";

/** Bearer token of our server, 10 minutes. */
export const storedToken = storedText("jwt_token");

/** Key of the user's AI provider. Never sent to our server. */
export const storedAiKey = storedText("openai_api_key");

/** Shortened address of the connected wallet. */
export const storedWalletDisplay = storedText("wallet_display");

/** Wallet to reconnect to; no other data of the wallet is stored. */
export const storedWallet = storedValue(
  "wallet-storage",
  1,
  z.object({ walletType: z.string(), walletAddress: z.string() }),
);

export const storedTheme = storedText("theme");

/** Time zone of all times shown; absent means the device's. */
export const storedTimeZone = storedText("time-zone");

/** Network of new agents, where the deployment offers several with play money. */
export const storedNetwork = storedText("network");

/** Panel sizes in percent by panel id, per layout. */
export const storedLayout = storedValue(
  "panel-layout",
  1,
  z.record(z.string(), z.number().check(z.minimum(0), z.maximum(100))),
);

/** Workspace tab shown last. */
export const storedTab = storedText("workspace-tab");

/** Chat shown last, with its wallet. */
export const storedChat = storedValue(
  "workspace-chat",
  1,
  z.object({ owner: ownerAddress, chatId }),
);
