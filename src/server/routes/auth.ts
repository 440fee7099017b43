import type { Clock } from "../../domain/clock.ts";
import { createChallenge } from "../auth/sign-in.ts";
import { limitPerMinute } from "../http/rate-limit.ts";
import type { RandomBytes } from "../new-id.ts";
import type { Db } from "../store/db.ts";
import type { Handlers } from "./handler.ts";

/** Nonces per peer and wallet: keyed by both, so nobody can lock another's wallet out. Spec: security §8 P22 */
const SIGN_INS_PER_MINUTE = 10;

export function authHandlers(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly publicUrl: URL;
  readonly signInsPerMinute?: number;
}): Pick<Handlers, "createNonce"> {
  const limit = limitPerMinute(deps.signInsPerMinute ?? SIGN_INS_PER_MINUTE);
  return {
    async createNonce({ body, ip }) {
      await limit(`${ip} ${body.walletAddress}`);
      return createChallenge(deps, body.walletAddress, ip);
    },
  };
}
