/** Runs a request after all earlier ones have been answered. */
export type AskInTurn = <T>(request: () => Promise<T>) => Promise<T>;

/** Creates a request queue: wallets show one window at a time, so requests run one after another. */
export function createTurns(): AskInTurn {
  let turn: Promise<unknown> = Promise.resolve();
  return (request) => {
    const result = turn.then(request, request);
    turn = result.catch(() => {});
    return result;
  };
}
