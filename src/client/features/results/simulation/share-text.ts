/** Returns a fraction as percent text with a Unicode minus, "10.0%" for 0.1; a dash when unknown. */
export function shareText(share: number | null | undefined, signed = false): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return "–";
  const digits = Math.abs(share * 100).toFixed(Math.abs(share) >= 10 ? 0 : 1);
  const isZero = !/[1-9]/.test(digits);
  const sign = isZero ? "" : share < 0 ? "−" : signed ? "+" : "";
  return `${sign}${digits}%`;
}

/** Returns a ratio with two decimals; a dash when undefined. */
export function ratioText(ratio: number | null): string {
  return ratio === null || !Number.isFinite(ratio) ? "–" : ratio.toFixed(2).replace("-", "−");
}

/** Returns the colour class of a gain or loss; none when it rounds to zero. */
export function toneOf(share: number | null): string {
  if (share === null || Math.abs(share) < 0.0005) return "";
  return share < 0 ? "text-down" : "text-up";
}
