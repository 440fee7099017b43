import type { Agent } from "../../queries/agent.ts";

/** What is said of an agent that was turned off: the server knows whether something was closed. */
export const stoppedTitle = ({ closedByStop }: Pick<Agent, "closedByStop">): string =>
  closedByStop === true ? "Positions Closed & Auto-Trade Disabled" : "Auto-Trade Disabled";
