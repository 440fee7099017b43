import { guessHeight } from "./message-window.ts";

/** Row heights of a list by id, for the list's lifetime. */
export type RowHeights = ReturnType<typeof createRowHeights>;

/** Creates a height cache that measures rows while they are rendered. */
export function createRowHeights() {
  const measured = new Map<string, number>();
  const guessed = new Map<string, number>();
  const ids = new WeakMap<Element, string>();
  let tell = () => {};
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const id = ids.get(target);
      const { height } = target.getBoundingClientRect();
      // A hidden row has height 0, which is not a measurement
      if (id !== undefined && height > 0) measured.set(id, height);
    }
    tell();
  });
  return {
    /** Returns the last rendered height, otherwise an estimate from the text. */
    of({ id, content }: { readonly id: string; readonly content: string }): number {
      const known = measured.get(id) ?? guessed.get(id);
      if (known !== undefined) return known;
      const guess = guessHeight(content);
      guessed.set(id, guess);
      return guess;
    },
    /** Observes a row's height; returns a function that stops it. */
    observe(id: string, row: HTMLElement) {
      ids.set(row, id);
      watch.observe(row);
      return () => watch.unobserve(row);
    },
    /** Sets the one listener for changed row heights. */
    listen(onChange: () => void) {
      tell = onChange;
    },
  };
}
