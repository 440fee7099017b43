import type { DecisionGraph } from "./graph-model.ts";

/** Position and size of a node, in CSS pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: ReadonlyMap<string, Box>;
}

/** Height of a node in CSS pixels: label, headline and two lines. */
export const NODE_HEIGHT = 84;

const GAP = 14;

/** Gap between stages for the edges, in CSS pixels. */
const STAGE_GAP = 34;

/** Minimum and maximum node width, in CSS pixels. */
const MIN_WIDTH = 112;
const MAX_WIDTH = 208;

/** Returns node positions: stages from left to right if they fit, otherwise from top to bottom. */
export function layOut({ layers }: DecisionGraph, available: number): GraphLayout {
  const stages = Math.max(layers.length, 1);
  const room = (available - (stages - 1) * STAGE_GAP) / stages;
  return room >= MIN_WIDTH
    ? across(layers, Math.min(room, MAX_WIDTH))
    : down(layers, Math.max(available, MIN_WIDTH));
}

const stackHeight = (count: number): number => count * NODE_HEIGHT + Math.max(count - 1, 0) * GAP;

function across(layers: DecisionGraph["layers"], width: number): GraphLayout {
  const height = Math.max(...layers.map((nodes) => stackHeight(nodes.length)), NODE_HEIGHT);
  const boxes = layers.flatMap((nodes, stage) => {
    const top = (height - stackHeight(nodes.length)) / 2;
    return nodes.map(({ id }, row): [string, Box] => [
      id,
      {
        x: stage * (width + STAGE_GAP),
        y: top + row * (NODE_HEIGHT + GAP),
        width,
        height: NODE_HEIGHT,
      },
    ]);
  });
  return {
    width: layers.length * width + (layers.length - 1) * STAGE_GAP,
    height,
    boxes: new Map(boxes),
  };
}

/** Returns the vertical layout: a stage's nodes side by side, wrapped into rows. */
function down(layers: DecisionGraph["layers"], available: number): GraphLayout {
  const perRow = Math.max(1, Math.min(3, Math.floor((available + GAP) / (MIN_WIDTH + GAP))));
  const boxes = new Map<string, Box>();
  let y = 0;
  for (const nodes of layers) {
    for (let first = 0; first < nodes.length; first += perRow) {
      const row = nodes.slice(first, first + perRow);
      const width = Math.min((available - (row.length - 1) * GAP) / row.length, 2 * MAX_WIDTH);
      const left = (available - row.length * width - (row.length - 1) * GAP) / 2;
      for (const [at, { id }] of row.entries()) {
        boxes.set(id, { x: left + at * (width + GAP), y, width, height: NODE_HEIGHT });
      }
      y += NODE_HEIGHT + GAP;
    }
    y += STAGE_GAP - GAP;
  }
  return { width: available, height: Math.max(y - STAGE_GAP, NODE_HEIGHT), boxes };
}

/** Returns the curve from one node to another as an SVG path. */
export function edgePath(from: Box, to: Box): string {
  const isBeside = to.x >= from.x + from.width;
  const isBelow = to.y >= from.y + from.height;
  if (isBeside) {
    const [x1, y1] = [from.x + from.width, from.y + from.height / 2];
    const [x2, y2] = [to.x - 6, to.y + to.height / 2];
    // Nodes of one row get a straight edge
    const bend = (x2 - x1) / 2;
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  }
  const [x1, y1] = [from.x + from.width / 2, isBelow ? from.y + from.height : from.y];
  const [x2, y2] = [to.x + to.width / 2, isBelow ? to.y - 6 : to.y + to.height + 6];
  const bend = (y2 - y1) / 2;
  return `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`;
}
