import { type Chain, ChainUnavailableError } from "./chain.ts";
import { wrapChain } from "./wrap-chain.ts";

type Call = (...input: unknown[]) => Promise<unknown>;

/** Returns a node that answers nothing before its genesis hash has been verified. */
export function createVerifiedChain(chain: Chain, genesisHash: string): Chain {
  let verified: Promise<void> | undefined;

  const check = async (): Promise<void> => {
    if ((await chain.genesisHash()) === genesisHash) return;
    throw new ChainUnavailableError("The node serves another chain.", { trouble: "wrong_chain" });
  };
  const verify = (): Promise<void> => {
    verified ??= check().catch((error: unknown) => {
      verified = undefined;
      throw error;
    });
    return verified;
  };
  const guard =
    (call: Call): Call =>
    async (...input) => {
      await verify();
      try {
        return await call(...input);
      } catch (error) {
        // The same address may later serve another node
        if (error instanceof ChainUnavailableError && error.trouble === "unreachable") {
          verified = undefined;
        }
        throw error;
      }
    };

  const calls = Object.entries(chain).flatMap(([name, call]) =>
    typeof call === "function" && name !== "withOneNode" ? [[name, guard(call as Call)]] : [],
  );
  return wrapChain(chain, () => Object.fromEntries(calls) as Partial<Chain>);
}
