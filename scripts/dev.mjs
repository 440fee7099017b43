// Imported after the Node version is chosen, because an old one cannot parse it
void import("./with-node.mjs").then(({ withPackages }) =>
  withPackages(() => import("./dev-product.mjs")),
);
