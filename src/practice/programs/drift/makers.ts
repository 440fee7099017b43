import type { Address } from "@solana/kit";
import { userStatsLayout } from "../../../venues/drift/layout-user-stats.ts";
import { userLayout } from "../../../venues/drift/layout-user.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { demand } from "./exchange-failures.ts";

/**
 * Returns the makers given after the maps, each a user with its statistics, validated as the program does. They are not
 * matched: this exchange trades only its own curve.
 */
export function readMakers(context: InstructionContext, first: number): ReadonlySet<Address> {
  const makers = new Set<Address>();
  const authorities = new Set<Address>();
  for (let at = first; ; at += 2) {
    const user = context.accounts[at];
    if (user === undefined) return makers;
    const { data, owner } = context.read(user.address);
    if (data.length < userLayout.size || !userLayout.matches(data)) return makers;
    demand(user.isWritable, "UserWrongMutability");
    demand(owner === context.programId, "InvalidUserAccount");
    makers.add(user.address);
    const stats = context.accounts[at + 1];
    demand(stats !== undefined, "UserStatsNotFound");
    const held = context.read(stats.address);
    const isStats = held.data.length >= userStatsLayout.size && userStatsLayout.matches(held.data);
    demand(isStats, "InvalidUserStatsAccount");
    const { authority } = userStatsLayout.decode(held.data);
    if (authorities.has(authority)) continue;
    demand(stats.isWritable, "UserStatsWrongMutability");
    demand(held.owner === context.programId, "InvalidUserStatsAccount");
    authorities.add(authority);
  }
}
