#!/bin/sh
# Builds the server and the page in the folder it is run in and leaves what runs: dist, its packages, package.json.
set -eu

if ! command -v node >/dev/null; then
  echo "There is no Node here: docs/node.md says how to get it." >&2
  exit 1
fi
# Older ones cannot build, and npm leaves compilers out on them
node -e 'import("./scripts/runtime.mjs").then(({ isNodeSupported, OLDEST_NODE }) => {
  if (isNodeSupported(process.versions.node)) return;
  console.error(`Node ${process.versions.node} is older than ${OLDEST_NODE}: docs/node.md says how to get one.`);
  process.exit(1);
})'
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
node scripts/build.mjs
npm prune --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
