import type { Agent } from "../../../contract/agent.ts";

/** Returns the title for an agent that was turned off; the server reports whether a position was closed. */
export const stoppedTitle = ({ closedByStop }: Pick<Agent, "closedByStop">): string =>
  closedByStop === true ? "Positions Closed & Auto-Trade Disabled" : "Auto-Trade Disabled";
