import type { OwnerAddress } from "../domain/ids.ts";
import type { Db } from "./store/postgres/db.ts";

/** The signed-in wallet a call is made for. */
export interface Session {
  readonly id: string;
  readonly wallet: OwnerAddress;
  /** Name of the assistant that makes the call with a token; absent for the owner. */
  readonly assistant?: string;
  /**
   * Throws `agent_changed` when the call would now need another signature than it was let through with; called under
   * the agent's lock, because a thief may change the agent between the two. Absent where no call is judged.
   */
  readonly judgeAgain?: (tx: Db) => Promise<void>;
}
