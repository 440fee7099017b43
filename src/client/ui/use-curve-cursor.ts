import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { type LinePoint, nearestPoint, type Scale } from "./curve.ts";

/** Returns the point under a chart's cursor, with the handlers that move it by pointer and arrow keys. */
export function useCurveCursor(points: readonly LinePoint[], times: Scale) {
  const [cursor, setCursor] = useState<number | null>(null);
  const hide = () => setCursor(null);
  const follow = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left) / (box.width || 1);
    setCursor(nearestPoint(points, times.from + share * (times.to - times.from)));
  };
  const moveByKey = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };
    const move = moves[event.key];
    if (event.key === "Escape") hide();
    if (move === undefined || points.length === 0) return;
    event.preventDefault();
    setCursor(Math.min(points.length - 1, Math.max(0, (cursor ?? points.length) + move)));
  };
  return {
    /** Index of the point; null without a cursor. */
    cursor,
    point: cursor === null ? undefined : points[cursor],
    handlers: {
      onPointerMove: follow,
      onPointerLeave: hide,
      onKeyDown: moveByKey,
      onBlur: hide,
    },
  };
}
