import type { Clock } from "../domain/clock.ts";
import type { NodeTrouble } from "../domain/node-trouble.ts";
import { type Chain, ChainUnavailableError, TransactionRefusedError } from "./chain.ts";
import { createNodeRecord, type NodeRecord } from "./node-record.ts";
import type { NodeState } from "./node-state.ts";

/** How often the whole list of nodes is asked before the chain counts as unavailable. */
const ROUNDS = 2;

/** Wait before the list is asked again. */
const ROUND_PAUSE_MS = 250;

export interface NodePoolOptions {
  /** What every node of the network answers to `genesisHash`. */
  readonly genesisHash: string;
  readonly clock: Clock;
  sleep(ms: number): Promise<unknown>;
  /** Hears what became wrong with a node, and `null` when it is well again. */
  readonly onTrouble?: (node: string, trouble: NodeTrouble | null) => void;
}

export interface NodePool {
  readonly chain: Chain;
  /** Every node in the order given, with what is wrong with it. Names carry no address. */
  nodes(): readonly NodeState[];
}

interface Member {
  readonly chain: Chain;
  readonly record: NodeRecord;
  isVerified: boolean;
}

/**
 * Makes one chain of several nodes: each call is answered by the one that answered last, or by the next that can.
 *
 * A node is used only while it serves the right chain. Calls bound to one node begin again with the next when it cannot
 * answer all of them. A sending goes to one node; only one that does not know the blockhash yet passes it on.
 */
export function createNodePool(chains: readonly Chain[], options: NodePoolOptions): NodePool {
  const { genesisHash, clock, sleep, onTrouble } = options;
  const members = chains.map((chain, at): Member => {
    const name = `Node ${at + 1}`;
    const record = createNodeRecord(name, clock, (trouble) => onTrouble?.(name, trouble));
    return { chain, record, isVerified: false };
  });
  let used = 0;

  /** From the one used last, those that ask for a rest at the end. */
  const inOrder = (): readonly Member[] => {
    const turned = [...members.slice(used), ...members.slice(0, used)];
    const isResting = ({ record }: Member) => record.isResting();
    return [...turned.filter((each) => !isResting(each)), ...turned.filter(isResting)];
  };

  const verify = async (member: Member): Promise<void> => {
    if (member.isVerified) return;
    if ((await member.chain.genesisHash()) !== genesisHash) {
      throw new ChainUnavailableError("The node serves another chain.", { trouble: "wrong_chain" });
    }
    member.isVerified = true;
  };

  const askOne = async <T>(member: Member, work: (node: Chain) => Promise<T>): Promise<T> => {
    try {
      await verify(member);
      const answer = await work(member.chain);
      member.record.answered();
      used = members.indexOf(member);
      return answer;
    } catch (error) {
      if (error instanceof ChainUnavailableError && error.trouble !== undefined) {
        member.record.failed(error.trouble);
        // What comes back may be something else
        if (error.trouble === "unreachable") member.isVerified = false;
      }
      throw error;
    }
  };

  const ask = async <T>(work: (node: Chain) => Promise<T>): Promise<T> => {
    let last: unknown = new ChainUnavailableError("There is no node.");
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round > 0) await sleep(ROUND_PAUSE_MS);
      for (const member of inOrder()) {
        try {
          return await askOne(member, work);
        } catch (error) {
          if (!(error instanceof ChainUnavailableError)) throw error;
          last = error;
        }
      }
    }
    throw last;
  };

  /** A node that lost its answer may have taken the bytes: the next one's refusal would then be no proof. */
  const send: Chain["send"] = async (transaction) => {
    let refusal: unknown;
    for (const member of inOrder()) {
      try {
        return await askOne(member, (node) => node.send(transaction));
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

  const [first] = chains;
  if (first === undefined) throw new Error("A network needs a node");
  const chain: Chain = {
    network: first.network,
    genesisHash: () => ask((node) => node.genesisHash()),
    accounts: (...input) => ask((node) => node.accounts(...input)),
    latestBlockhash: () => ask((node) => node.latestBlockhash()),
    progress: (...input) => ask((node) => node.progress(...input)),
    historyStart: () => ask((node) => node.historyStart()),
    simulate: (...input) => ask((node) => node.simulate(...input)),
    send,
    signatureStatuses: (...input) => ask((node) => node.signatureStatuses(...input)),
    transaction: (...input) => ask((node) => node.transaction(...input)),
    recentUnitPrices: (...input) => ask((node) => node.recentUnitPrices(...input)),
    signaturesFor: (...input) => ask((node) => node.signaturesFor(...input)),
    minimumBalance: (...input) => ask((node) => node.minimumBalance(...input)),
    slotDurationMs: () => ask((node) => node.slotDurationMs()),
    withOneNode: (work) => ask(work),
  };
  return { chain, nodes: () => members.map(({ record }, at) => record.state(at === used)) };
}
