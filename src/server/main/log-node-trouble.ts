import type { OpenNetworksDeps } from "./open-networks.ts";

/** Writes one line when something is wrong with a node, and one when it is well again. Nodes are named by their place. */
export function logNodeTrouble(log: {
  warn(detail: object, message: string): void;
  info(detail: object, message: string): void;
}): NonNullable<OpenNetworksDeps["onNodeTrouble"]> {
  return (at, trouble) => {
    if (trouble === null) log.info(at, "node is well again");
    else log.warn({ ...at, trouble }, "something is wrong with a node: the next one is asked");
  };
}
