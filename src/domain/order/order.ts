import type { AgentId, OrderId, Brand } from "../ids.ts";
import type { Market } from "../market.ts";
import type { Side } from "../position.ts";
import type { OrderSignal } from "../signal.ts";

/** An order we would like a venue to execute, before any check. */
export interface OrderIntent {
  readonly orderId: OrderId;
  readonly agentId: AgentId;
  readonly signal: OrderSignal;
  readonly market: Market;
  /** Direction of the order itself: closing a long is an order of side short. */
  readonly side: Side;
  readonly reduceOnly: boolean;
  /** Base units, always positive. */
  readonly baseSize: bigint;
  /** Price the size was computed at, quote units with six decimals per whole asset. */
  readonly referencePrice: bigint;
  /** Slippage limit in basis points, 1 to 500. */
  readonly slippageBps: number;
  /** Share of free collateral the size represents, in percent, for the trade log. */
  readonly percentage: number;
  /** Base units held when the order was decided; present where it closes part of the position. */
  readonly heldBase?: bigint;
  /** True when it adds to the position, as the plan has it; otherwise absent. */
  readonly isAdd?: true;
  /** True when the trading key's daily limit made an entry smaller than its share; otherwise absent. */
  readonly isLimited?: true;
}

/** An intent that passed every risk check. Only `domain/order/risk.ts` hands it out. */
export type Approved<T> = Brand<T, "Approved">;

/**
 * One execution, or, with all but the fee zero, what somebody got who triggered the order or ended what was left of it.
 * `price` in quote units with six decimals per whole asset, amounts in base units.
 */
export interface Fill {
  readonly price: bigint;
  readonly baseSize: bigint;
  readonly quoteSize: bigint;
  readonly fee: bigint;
  /** Funding that its transaction settled before it, in quote units, negative when paid; absent for none. */
  readonly funding?: bigint;
}
