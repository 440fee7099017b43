import type { OpenNetworksDeps } from "./open-networks.ts";

/** Logs one line when a node fails and one when it recovers. Nodes are identified by their position in the list. */
export function logNodeTrouble(log: {
  warn(detail: object, message: string): void;
  info(detail: object, message: string): void;
}): NonNullable<OpenNetworksDeps["onNodeTrouble"]> {
  return (at, trouble) => {
    if (trouble === null) log.info(at, "node is well again");
    else log.warn({ ...at, trouble }, "something is wrong with a node: the next one is asked");
  };
}
