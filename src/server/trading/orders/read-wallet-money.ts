import { assetOf } from "../../../venues/profiles.ts";
import type { AccountState } from "../../../domain/position.ts";
import type { WalletMoney } from "../../../domain/order/risk.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import { toVenueAccount } from "../../custody/account/venue-account.ts";
import type { AgentRecord } from "../../store/agents/agents.ts";
import { type CustodyAgent, listCustodyAgents } from "../../store/custody/multisigs.ts";
import type { TradingDeps } from "./trading-deps.ts";
import { findVenue } from "../../networks.ts";

/**
 * Returns the total value of an owner's agents on a network and their gross exposure to the agent's asset, long plus
 * short, in base units of the agent's quote token. Null where the owner set no such limit.
 *
 * Throws `ChainUnavailableError` when any agent cannot be read: a partial sum is never returned.
 */
export async function readWalletMoney(
  { db, networks }: Pick<TradingDeps, "db" | "networks">,
  { id, owner, network, limits }: AgentRecord,
  own: { readonly state: AccountState; readonly asset: string; readonly quoteDecimals: number },
): Promise<WalletMoney | null> {
  if (limits.assetShareBps === null) return null;
  const others = (await listCustodyAgents(db, owner)).filter(
    (agent) => agent.network === network && agent.agentId !== id && agent.subAccountId !== null,
  );
  const read = [...new Set(others.map(({ venue }) => venue))].map(async (id) => {
    const agents = others.filter((agent) => agent.venue === id);
    const venue = findVenue(networks, { network, venue: id });
    if (venue === undefined) throw new ChainUnavailableError(`Nothing is read of ${id}`);
    const states = await venue.accountStates(agents.map(accountOf));
    const { decimals } = venue.instance.quote;
    return states.map((state) => scaled(moneyIn(state, own.asset), decimals, own.quoteDecimals));
  });
  return (await Promise.all(read))
    .flat()
    .reduce(
      (sum, each) => ({ total: sum.total + each.total, inAsset: sum.inAsset + each.inAsset }),
      moneyIn(own.state, own.asset),
    );
}

const moneyIn = (state: AccountState, asset: string): WalletMoney => ({
  total: state.portfolioValue,
  inAsset: state.positions
    .filter(({ marketId }) => assetOf(marketId) === asset)
    .reduce(
      (sum, { positionValue }) => sum + (positionValue < 0n ? -positionValue : positionValue),
      0n,
    ),
});

function scaled({ total, inAsset }: WalletMoney, from: number, to: number): WalletMoney {
  const [up, down] = [10n ** BigInt(Math.max(0, to - from)), 10n ** BigInt(Math.max(0, from - to))];
  return { total: (total * up) / down, inAsset: (inAsset * up) / down };
}

function accountOf(agent: CustodyAgent) {
  const account = toVenueAccount(agent);
  if (account === null) throw new ChainUnavailableError(`Agent ${agent.agentId} has no account`);
  return account;
}
