/** A share as percent text with a true minus: 0.1 is "10.0%"; a dash where nothing can be said. */
export function shareText(share: number | null | undefined, signed = false): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return "–";
  const digits = Math.abs(share * 100).toFixed(Math.abs(share) >= 10 ? 0 : 1);
  const isZero = !/[1-9]/.test(digits);
  const sign = isZero ? "" : share < 0 ? "−" : signed ? "+" : "";
  return `${sign}${digits}%`;
}

/** A ratio with two places; a dash where it cannot be said. */
export function ratioText(ratio: number | null): string {
  return ratio === null || !Number.isFinite(ratio) ? "–" : ratio.toFixed(2).replace("-", "−");
}

/** Colour of a gain or loss; what rounds to nothing has none. */
export function toneOf(share: number | null): string {
  if (share === null || Math.abs(share) < 0.0005) return "";
  return share < 0 ? "text-down" : "text-up";
}
