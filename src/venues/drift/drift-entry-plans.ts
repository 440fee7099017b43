import { associatedTokenAddress } from "../../solana/programs/associated-token.ts";
import { TOKEN_ACCOUNT_SIZE } from "../../solana/programs/token.ts";
import type { ExchangeAccess } from "./exchange-access.ts";
import type { CustodyPort } from "../ports.ts";
import { encodeUserName } from "./instructions.ts";
import { userLayout } from "./layout-user.ts";
import { userStatsLayout } from "./layout-user-stats.ts";
import { readOwned } from "./owned-account.ts";
import { deriveUserStats } from "./pdas.ts";
import { planDepositFrom, planRenameFrom, planSetUpFrom } from "./plan-entry.ts";
import { emptyStep } from "./plan-exit.ts";

/** Plans of the owner's transactions before trading: set-up, deposit, rename. */
export function entryPlans(
  access: ExchangeAccess,
): Pick<CustodyPort, "planSetUp" | "planDeposit" | "planRename"> {
  const { chain, instance, reader, userAddress } = access;
  return {
    async planSetUp(account, accountName) {
      const { accounts } = await chain.accounts([
        deriveUserStats(instance, account.vault),
        userAddress(account),
        associatedTokenAddress(account.vault, instance.quote.mint),
      ]);
      const [stats, user, vaultTokens] = accounts;
      const present = readOwned(instance, userLayout, user);
      return planSetUpFrom(instance, account, accountName, {
        hasStats: readOwned(instance, userStatsLayout, stats) !== null,
        tradingKey: present?.delegate ?? null,
        maxMarginRatio: present?.maxMarginRatio ?? 0,
        vaultTokensRent:
          vaultTokens == null ? await chain.minimumBalance(TOKEN_ACCOUNT_SIZE) : null,
      });
    },
    async planDeposit(account, amount) {
      const reading = await reader.read([]);
      return planDepositFrom(instance, account, amount, reader.marketAccounts(reading, []));
    },
    async planRename(account, accountName) {
      const { accounts } = await chain.accounts([userAddress(account)]);
      const wanted = encodeUserName(accountName);
      const present = readOwned(instance, userLayout, accounts[0])?.name ?? wanted;
      return wanted.every((byte, at) => byte === present[at])
        ? emptyStep("Rename the exchange account")
        : planRenameFrom(instance, account, accountName);
    },
  };
}
