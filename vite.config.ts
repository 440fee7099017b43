import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { FIRST_HEADING, FIRST_LINE } from "./src/client/app/first-words.ts";

/** Writes the words the page begins with into its markup. */
const firstWords: Plugin = {
  name: "first-words",
  transformIndexHtml: (html) =>
    html.replace("%FIRST_HEADING%", FIRST_HEADING).replace("%FIRST_LINE%", FIRST_LINE),
};

export default defineConfig({
  root: "src/client",
  plugins: [react(), tailwindcss(), firstWords],
  // Beside other caches; the default would land in src/client
  cacheDir: "../../.cache/vite",
  // One file each: what a worker would import is not in its content policy
  worker: { format: "es", rolldownOptions: { output: { codeSplitting: false } } },
  build: {
    outDir: "../../dist/client",
    emptyOutDir: true,
    manifest: true,
    target: "es2023",
    // Inlined assets would need data: in the content security policy
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Keeps what two lazy parts share out of the chunks of both: a part that was lost is fetched again under another
      // address, and state that its chunk held for others would then exist twice
      experimental: { chunkOptimization: { avoidRedundantChunkLoads: false } },
      output: {
        codeSplitting: {
          // Half of the first load, and the same from deployment to deployment: browsers keep it
          groups: [
            {
              name: "react",
              test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/,
              priority: 1,
            },
            // One chunk instead of thirty small ones, which compress worse
            { name: "first", tags: ["$initial"] },
          ],
        },
      },
    },
    // Weighed compressed, by scripts/size-bundle.mjs
    chunkSizeWarningLimit: 1_000,
  },
});
