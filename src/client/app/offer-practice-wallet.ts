import type { QueryClient } from "@tanstack/react-query";
import type { Wallet } from "@wallet-standard/base";
import { sendPracticeTransaction } from "../../contract/practice.ts";
import { call } from "../lib/api.ts";
import { storedWallet } from "../lib/storage.ts";
import { deploymentQuery, offersPractice } from "../queries/deployment.ts";
import { askForApproval } from "../wallet/practice-approvals.ts";

/** Registers a wallet through the Wallet Standard events that extensions use. */
function announce(wallet: Wallet): void {
  const detail = ({ register }: { register(wallet: Wallet): void }) => register(wallet);
  window.dispatchEvent(new CustomEvent("wallet-standard:register-wallet", { detail }));
}

const loadPracticeWallet = () =>
  Promise.all([import("../wallet/practice-wallet.ts"), import("../wallet/practice-key.ts")]);

/** Registers the practice wallet through the Wallet Standard when the deployment offers a practice network. */
export async function offerPracticeWallet(queryClient: QueryClient): Promise<void> {
  if (storedWallet.read()?.walletType === "practice") {
    // Nothing of a wallet is read before it is connected again, so its code comes along with the deployment's answer
    const parts = [loadPracticeWallet(), import("@noble/curves/ed25519.js")];
    void Promise.allSettled(parts);
  }
  const deployment = await queryClient.fetchQuery(deploymentQuery);
  if (!offersPractice(deployment)) return;
  // Other deployments never load it
  const [{ createPracticeWallet }, { openPracticeKey }] = await loadPracticeWallet();
  announce(
    createPracticeWallet({
      openKey: openPracticeKey,
      approve: askForApproval,
      send: async (transaction) =>
        (await call(sendPracticeTransaction, { body: { transaction } })).signature,
    }),
  );
}
