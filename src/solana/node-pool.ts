import { ChainUnavailableError, TransactionRefusedError } from "./chain.ts";
import { type Ask, type Call, handling } from "./chain-links.ts";
import type { NodeRecord, NodeState } from "./node-record.ts";
import { BudgetUsedUpError } from "./request-budget.ts";

/**
 * Number of times the whole list of nodes is asked before the chain counts as unavailable; what closes asks on where a node
 * only refuses its rate.
 */
const ROUNDS = { refusedExit: 4, others: 2 };

/** Wait before the list is asked again, milliseconds. */
const ROUND_PAUSE_MS = 250;

export interface NodePool {
  readonly ask: Ask;
  /** Returns every node in the given order with its fault. Names contain no address. */
  nodes(): readonly NodeState[];
}

/** One node of a network and its state. */
export interface PooledNode {
  readonly ask: Ask;
  readonly record: NodeRecord;
}

/**
 * Combines several nodes into one: each call goes to the node that answered last, then to the next that can
 * answer.
 *
 * Calls bound to one node restart with the next node when it cannot answer all of them. A send goes to one node and is
 * passed on only when that node does not know the blockhash yet.
 */
export function createNodePool(
  members: readonly PooledNode[],
  sleep: (ms: number) => Promise<unknown>,
): NodePool {
  let used = 0;

  /** Starts with the last used node; nodes that asked for a pause come last. */
  const inOrder = (): readonly PooledNode[] => {
    const turned = [...members.slice(used), ...members.slice(0, used)];
    const isResting = ({ record }: PooledNode) => record.isResting();
    return [...turned.filter((each) => !isResting(each)), ...turned.filter(isResting)];
  };

  const askOne = async <T>(member: PooledNode, work: (node: Ask) => Promise<T>): Promise<T> => {
    try {
      const answer = await work(member.ask);
      member.record.answered();
      used = members.indexOf(member);
      return answer;
    } catch (error) {
      if (error instanceof ChainUnavailableError && error.trouble !== undefined) {
        member.record.failed(error.trouble);
      }
      throw error;
    }
  };

  const retry = async <T>(
    { class: callClass }: Pick<Call, "class">,
    work: (node: Ask) => Promise<T>,
  ): Promise<T> => {
    let last: ChainUnavailableError | undefined;
    const rounds = () =>
      callClass === "exit" && last?.trouble === "limited" ? ROUNDS.refusedExit : ROUNDS.others;
    for (let round = 0; round < rounds(); round += 1) {
      if (round > 0) await sleep(ROUND_PAUSE_MS);
      for (const member of inOrder()) {
        try {
          return await askOne(member, work);
        } catch (error) {
          const isOfNode = error instanceof ChainUnavailableError;
          if (!isOfNode || error instanceof BudgetUsedUpError) throw error;
          last = error;
        }
      }
    }
    throw last;
  };

  /** A node whose answer was lost may have accepted the bytes: a refusal by the next node would then prove nothing. */
  const send = async (call: Call<"send">) => {
    let refusal: unknown;
    for (const member of inOrder()) {
      try {
        return await askOne(member, (node) => node(call));
      } catch (error) {
        const isUnknownBlockhash =
          error instanceof TransactionRefusedError && error.error.name === "BlockhashNotFound";
        if (!isUnknownBlockhash) {
          if (error instanceof ChainUnavailableError)
            used = (members.indexOf(member) + 1) % members.length;
          throw error;
        }
        refusal = error;
      }
    }
    throw refusal ?? new ChainUnavailableError("There is no node.");
  };

  const ask = handling({ send, withOneNode: (call) => retry(call, call.input[0]) })((call) =>
    retry(call, (node) => node(call)),
  );
  return { ask, nodes: () => members.map(({ record }, at) => record.state(at === used)) };
}
