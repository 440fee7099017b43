import type { QueryClient } from "@tanstack/react-query";
import { getWallets } from "@wallet-standard/app";
import { ROUTES } from "../../contract/routes.ts";
import { call } from "../lib/api.ts";
import { deploymentQuery, offersPractice } from "../queries/deployment.ts";
import { askForApproval } from "../wallet/practice-approvals.ts";
import { openPracticeKey } from "../wallet/practice-key.ts";
import { createPracticeWallet } from "../wallet/practice-wallet.ts";

/** Registers the practice wallet like an extension would, where the deployment has a practice network. */
export async function offerPracticeWallet(queryClient: QueryClient): Promise<void> {
  const deployment = await queryClient.fetchQuery(deploymentQuery);
  if (!offersPractice(deployment)) return;
  getWallets().register(
    createPracticeWallet({
      openKey: openPracticeKey,
      approve: askForApproval,
      send: async (transaction) =>
        (await call(ROUTES.sendPracticeTransaction, { body: { transaction } })).signature,
    }),
  );
}
