/** Chart colours of the current theme. */
export interface Palette {
  readonly background: string;
  readonly text: string;
  readonly grid: string;
  readonly border: string;
  readonly line: string;
  readonly label: string;
  readonly buy: string;
  readonly sell: string;
  readonly other: string;
  readonly font: string;
}

/** Colours of candle bodies, equal in both themes. */
export const CANDLE_COLOURS = { up: "#26a69a", down: "#ef5350" } as const;

/** Colours of volume columns: those of candle bodies, translucent so that candles stay readable. */
export const VOLUME_COLOURS = { up: "#26a69a3d", down: "#ef53503d" } as const;

/** Reads the palette from the CSS custom properties of an element. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const token = (name: string, otherwise: string) =>
    style.getPropertyValue(name).trim() || otherwise;
  return {
    background: token("--surface", "#ffffff"),
    text: token("--muted", "#4d5666"),
    grid: token("--hover", "#eceef3"),
    border: token("--line", "#e1e4ea"),
    line: token("--accent-text", "#3a48c4"),
    label: token("--line-strong", "#7f8796"),
    buy: token("--up", "#00705a"),
    sell: token("--down", "#b42318"),
    other: token("--faint", "#606a7b"),
    font: token("--font", "sans-serif"),
  };
}
