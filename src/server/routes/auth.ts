import type { Sessions } from "../auth/sessions.ts";
import type { Handlers } from "./handler.ts";

export function authHandlers(deps: { readonly sessions: Sessions }): Pick<Handlers, "createNonce"> {
  return {
    createNonce: async ({ body }) => deps.sessions.challenge(body.walletAddress),
  };
}
