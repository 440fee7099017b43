/** Runs the act once the calls have paused for that long, with what the last call gave. */
export function debounce<A extends readonly unknown[]>(
  act: (...args: A) => void,
  pauseMs: number,
): (...args: A) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...args), pauseMs);
  };
}
