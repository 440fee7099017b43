#!/bin/sh
# Builds the server and the page in the folder it is run in and leaves what runs: dist, its packages, package.json.
set -eu

npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
node scripts/build.mjs
npm prune --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
