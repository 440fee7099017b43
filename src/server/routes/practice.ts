import { AppError, found } from "../../contract/errors.ts";
import type { Clock } from "../../domain/clock.ts";
import type { BuiltInNetwork } from "../../domain/network.ts";
import { parseDecimal } from "../../domain/amount.ts";
import { LAMPORT_DECIMALS } from "../custody/account/custody-limits.ts";
import { askChain } from "../custody/explain-chain.ts";
import type { NetworkRuntime, Networks } from "../networks.ts";
import type { Db } from "../store/postgres/db.ts";
import { recordFaucetUse } from "../store/practice/faucet-uses.ts";
import type { Handlers } from "../http/handler.ts";

/** Maximum faucet uses per wallet and hour. */
const USES_PER_HOUR = 10;

const HOUR_MS = 3_600_000;

/** Maximum SOL per call, in lamports. */
const MAX_LAMPORTS = 10_000_000_000n;

/** Maximum quote tokens per call, in whole units. */
const MAX_QUOTE = 10_000n;

/**
 * Answers the built-in networks' calls: their faucets, and sending for the page's practice wallet. Other networks: not
 * found.
 */
export function practiceHandlers(deps: {
  readonly db: Db;
  readonly networks: Networks;
  readonly clock: Clock;
}) {
  const { db, networks, clock } = deps;
  const requireBuiltIn = (
    network: BuiltInNetwork,
  ): NetworkRuntime & { faucet: NonNullable<NetworkRuntime["faucet"]> } => {
    const runtime = networks.get(network);
    if (runtime?.faucet === undefined) throw new AppError("not_found");
    return { ...runtime, faucet: runtime.faucet };
  };

  return {
    async useFaucet({ body, session }) {
      const { faucet, venues } = requireBuiltIn(body.network);
      const quote = found(venues.values().next().value?.instance.quote);
      const { decimals } = quote;
      const lamports = parseDecimal(body.sol, LAMPORT_DECIMALS);
      const quoteUnits = parseDecimal(body.usdc, decimals);
      if (lamports === null || lamports > MAX_LAMPORTS) {
        throw new AppError("validation_failed", { fields: { sol: "At most 10 SOL a call." } });
      }
      if (quoteUnits === null || quoteUnits > MAX_QUOTE * 10n ** BigInt(decimals)) {
        throw new AppError("validation_failed", {
          fields: { usdc: "At most 10,000 USDC a call." },
        });
      }
      if (lamports + quoteUnits === 0n) {
        throw new AppError("validation_failed", { fields: { sol: "Ask for something." } });
      }
      const now = clock.now();
      const mayUse = await recordFaucetUse(db, {
        wallet: session.wallet,
        at: new Date(now),
        since: new Date(now - HOUR_MS),
        limit: USES_PER_HOUR,
      });
      if (!mayUse) throw new AppError("faucet_limit_exceeded");
      const signature = await askChain(() => faucet.give(session.wallet, lamports, quoteUnits));
      return { signature };
    },

    async sendPracticeTransaction({ body }) {
      const { chain } = requireBuiltIn(body.network);
      const transaction = Uint8Array.from(Buffer.from(body.transaction, "base64"));
      return { signature: await askChain(() => chain.send(transaction)) };
    },
  } satisfies Partial<Handlers>;
}
