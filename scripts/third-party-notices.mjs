import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const TEXT = /^(?:licen[sc]e|copying|copyright|notice|unlicense)/i;
/** Part of a README that holds the licence of a package without a file for it. */
const README_PART = /^#+ *licen[sc]e\b[^\n]*\n([\s\S]*?)(?=^#|(?![\s\S]))/im;

/** Styles of this package, which the build uses, are part of the page. */
const IN_STYLES = "node_modules/tailwindcss";

/** Returns the licence texts of every installed package that runs in the page or in the server. */
export function thirdPartyNotices(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  const parts = Object.entries(packages)
    .filter(
      ([path, { dev, devOptional }]) => (path !== "" && !dev && !devOptional) || path === IN_STYLES,
    )
    .filter(([path]) => existsSync(join(folder, path)))
    .map(([path, { version }]) => noticeOf(join(folder, path), nameOf(path), version));
  return `${["Packages in this product and their licences.", ...parts].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

const nameOf = (path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

function noticeOf(folder, name, version) {
  const { license = "no licence" } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
  const texts = files
    .filter((file) => TEXT.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8"));
  return [`${name} ${version}: ${license}`, ...(texts.length > 0 ? texts : [textInReadme()])]
    .map((text) => text.trim())
    .join("\n\n");

  function textInReadme() {
    const readme = files.find((file) => /^readme/i.test(file));
    const text = readme && README_PART.exec(readFileSync(join(folder, readme), "utf8"))?.[1];
    return text || "The package holds no text of its licence.";
  }
}
