import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: "src/client",
  plugins: [react(), tailwindcss()],
  // Beside other caches; the default would land in src/client
  cacheDir: "../../.cache/vite",
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
      output: {
        codeSplitting: {
          // Half of the first load, and the same from deployment to deployment: browsers keep it
          groups: [{ name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ }],
        },
      },
    },
    // Weighed compressed, by scripts/size-bundle.mjs
    chunkSizeWarningLimit: 1_000,
  },
});
