import type { JupiterOptions } from "./jupiter-options.ts";
import type { CustodyPort } from "../ports.ts";
import { planSaleFrom } from "./plan-sale.ts";
import { readSetUpRents } from "./plan-set-up.ts";
import {
  emptyStep,
  planDepositFrom,
  planHandOverFrom,
  planRemovalFrom,
  planWithdrawFrom,
} from "./plan-transfer.ts";
import { tokenAccountOf } from "./instance.ts";
import { readVault } from "./vault-reader.ts";

/** Plans of the owner's transactions that deposit and withdraw money and assets. */
export function moneyPlans(
  options: JupiterOptions,
): Pick<
  CustodyPort,
  "planDeposit" | "planWithdraw" | "planClose" | "planMoveOut" | "planSettle" | "planTearDown"
> {
  const { chain, instance } = options;
  return {
    planDeposit: async (account, amount) => planDepositFrom(instance, account, amount),
    planWithdraw: async (account, amount) => planWithdrawFrom(instance, account, amount),
    async planClose(account) {
      return planSaleFrom(options, account, await readVault(chain, instance, account));
    },
    async planMoveOut(account, marketId) {
      const reading = await readVault(chain, instance, account);
      const wanted = reading.assets.filter(
        ({ asset }) => marketId === undefined || asset.marketId === marketId,
      );
      const held = wanted.find((each) => (each.held ?? 0n) > 0n);
      if (held === undefined) return emptyStep("Move assets to your wallet");
      const [step = emptyStep("")] = planHandOverFrom(account, { ...reading, assets: [held] });
      const target = tokenAccountOf(account.owner, held.asset);
      const [present] = (await chain.accounts([target])).accounts;
      if (present != null) return step;
      return { ...step, ownerRentLamports: (await readSetUpRents(chain)).tokenAccount };
    },
    planSettle: async () => emptyStep("Settle PnL"),
    async planTearDown(account) {
      const reading = await readVault(chain, instance, account);
      const held = reading.quote.held ?? 0n;
      return [
        ...planHandOverFrom(account, reading),
        ...(held > 0n ? [planWithdrawFrom(instance, account, held)] : []),
        ...planRemovalFrom(instance, account, reading),
      ];
    },
  };
}
