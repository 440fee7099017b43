// The import waits for the Node to be chosen: an old one could not parse it
void import("./with-node.mjs").then(({ withNode }) => withNode(() => import("./seed-product.mjs")));
