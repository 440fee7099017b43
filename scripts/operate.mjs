// Each import waits for the one before: the version is judged before newer syntax is parsed
void import("./node-version.mjs").then(() => import("./operate-product.mjs"));
