import { parseEventId } from "../../src/domain/ids.ts";
import { newId } from "../../src/server/crypto/new-id.ts";
import { wrapChain } from "../wrap-chain.ts";
import type { Venue } from "../../src/venues/ports.ts";
import { networksOn } from "./base-world.ts";
import { createRandom } from "../random.ts";
import type { Spoil } from "./run.ts";

/** Acknowledges an alert before it is stored: a server killed in between loses it. */
export const acknowledgesFirst: Spoil = ({ deps, receiver }) => {
  const ids = createRandom(0, 2);
  return {
    deps,
    receiver: {
      ...receiver,
      receive(delivery) {
        receiver.receive(delivery).catch(() => {});
        return Promise.resolve({
          kind: "accepted",
          eventId: parseEventId(newId((length) => ids.bytes(length))),
        });
      },
    },
  };
};

/** Plans a sent order again as soon as a node does not know it, without proof that its bytes can no longer land. */
export const signsAgain: Spoil = ({ deps, receiver, surroundings: { prices, clock } }) => {
  const runtime = deps.networks.get("practice");
  if (runtime === undefined) throw new Error("There is no practice network");
  const chain = wrapChain(runtime.chain, (node) => ({
    async signatureStatuses(signatures, options) {
      const answer = await node.signatureStatuses(signatures, options);
      const unknown = signatures.filter((_, at) => answer.statuses[at] === null);
      await deps.lanes.query(
        `update orders set state = 'planned', signature = null, transaction = null, submitted_at = null,
           last_valid_block_height = null, blockhash_slot = null
         where signature = any($1) and state in ('submitted', 'unknown')`,
        [unknown],
      );
      return answer;
    },
  }));
  return { deps: { ...deps, networks: networksOn(chain, prices, clock) }, receiver };
};

/** Takes an order that expired unfilled for gone, and leaves it at the venue. */
export const leavesTheDead: Spoil = ({ deps, receiver }) => {
  const runtime = deps.networks.get("practice");
  const drift = runtime?.venues.get("drift");
  if (runtime === undefined || drift?.followOrder === undefined) throw new Error("No venue");
  const follow = drift.followOrder;
  const forgetful: Venue = {
    ...drift,
    async followOrder(account, resting) {
      const progress = await follow(account, resting);
      return progress.kind === "cancellable" ? { kind: "gone" } : progress;
    },
  };
  const venues = new Map([...runtime.venues, [drift.id, forgetful]]);
  return {
    deps: { ...deps, networks: new Map([["practice", { ...runtime, venues }]]) },
    receiver,
  };
};

/** Has every counter go up by two where the server counts one. */
export const COUNTS_TWICE = `
create function count_twice() returns trigger language plpgsql as $$
begin
  if new.count = old.count + 1 then new.count := least(new.count + 1, new.required_count); end if;
  return new;
end $$;
create trigger count_twice before update on rule_conditions for each row execute function count_twice()`;
