/** Asks once everything asked before has been answered. */
export type AskInTurn = <T>(request: () => Promise<T>) => Promise<T>;

/** Makes a queue of requests: wallets show one window at a time, so requests wait for each other. */
export function createTurns(): AskInTurn {
  let turn: Promise<unknown> = Promise.resolve();
  return (request) => {
    const result = turn.then(request, request);
    turn = result.catch(() => {});
    return result;
  };
}
