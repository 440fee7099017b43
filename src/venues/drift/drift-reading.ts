import type { ExchangeAccess } from "./exchange-access.ts";
import type { CustodyPort, TradingPort } from "../ports.ts";
import { accountStateOf } from "./account-state.ts";
import { readIssuedTokens } from "../issuer-powers.ts";
import { healthOfStatus } from "./health.ts";
import { stateLayout } from "./layout-state.ts";
import { userStatsLayout } from "./layout-user-stats.ts";
import { ownUser, readOwned } from "./owned-account.ts";
import { deriveState, deriveUserStats } from "./pdas.ts";
import { sharedAddresses } from "./shared-addresses.ts";
import { tradingCostsFrom } from "./trading-costs.ts";

/** The venue's read calls: exchange state and the state of one account. */
export function readingPart(
  access: ExchangeAccess,
): Pick<TradingPort, "health" | "price" | "tradingCosts" | "accountState" | "accountStates"> &
  Pick<CustodyPort, "sharedAddresses" | "accountNumber"> {
  const { chain, instance, reader, userAddress, marketOf, readOne } = access;
  const stateAddress = deriveState(instance);
  return {
    async health() {
      if (instance.disabledReason !== undefined) {
        return { status: "coming soon", reason: instance.disabledReason };
      }
      const { accounts } = await chain.accounts([stateAddress]);
      const state = readOwned(instance, stateLayout, accounts[0]);
      if (state === null) {
        return { status: "retired", reason: "Drift does not run on this network." };
      }
      const issued = await readIssuedTokens(chain, [instance.quote]);
      return { ...healthOfStatus(state.exchangeStatus), issued };
    },
    sharedAddresses: async () => sharedAddresses(instance, await reader.priceAccounts()),
    async price(marketId) {
      return marketOf(await reader.read([]), marketId).price;
    },
    async tradingCosts(marketId) {
      const reading = await reader.read([]);
      return tradingCostsFrom(reading, marketOf(reading, marketId));
    },
    async accountState(account, on) {
      const read = await readOne(account, on);
      return access.keepReading(accountStateOf(read.user, read.reading), read);
    },
    async accountStates(accounts) {
      const reading = await reader.read(accounts.map(userAddress));
      return accounts.map((account, at) =>
        accountStateOf(ownUser(account, reading.users[at] ?? null), reading),
      );
    },
    async accountNumber(account) {
      const { accounts } = await chain.accounts([
        userAddress(account),
        deriveUserStats(instance, account.vault),
      ]);
      const [user, stats] = accounts;
      if (user?.owner === instance.programId || stats == null) return account.subAccountId;
      return userStatsLayout.decode(stats.data).numberOfSubAccountsCreated;
    },
  };
}
