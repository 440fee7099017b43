const KINDS = ["dependencies", "devDependencies", "optionalDependencies"];
const EXACT = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
const REGISTRY = "https://registry.npmjs.org/";

/**
 * Returns what is wrong with a manifest and its lock, one line each: versions that are not one exact version of the
 * registry (ranges, git, links, files, other names, other hosts) and packages that no digest holds.
 */
export function dependencyProblems(manifest, lock) {
  const named = KINDS.flatMap((kind) => Object.entries(manifest[kind] ?? {}));
  const packages = Object.entries(lock.packages).filter(([path]) => path !== "");
  const locked = lock.packages[""] ?? {};
  return [
    ...named
      .filter(([, version]) => !EXACT.test(version))
      .map(([name, version]) => `${name}: "${version}" in package.json is not one exact version.`),
    ...KINDS.filter((kind) => !isSame(manifest[kind], locked[kind])).map(
      (kind) => `${kind}: package.json and package-lock.json do not agree.`,
    ),
    ...packages.flatMap(([path, entry]) => problemsOf(path, entry, packages)),
  ];
}

function problemsOf(path, entry, packages) {
  const problems = [];
  const { link, name, resolved, version, integrity } = entry;
  if (link === true) problems.push(`${path}: a link is no package of the registry.`);
  if (name !== undefined) problems.push(`${path}: installed under another name, ${name}.`);
  if (resolved !== undefined && !resolved.startsWith(REGISTRY)) {
    problems.push(`${path}: from ${resolved}, not from the registry.`);
  }
  if (!EXACT.test(version ?? "")) problems.push(`${path}: "${version}" is not one exact version.`);
  const mayLack = isBundled(path, entry, packages) || isUnpublished(path, entry, packages);
  if (integrity === undefined ? !mayLack : !isStrong(integrity)) {
    problems.push(`${path}: no sha512 holds it.`);
  }
  return problems;
}

/**
 * Test tools whose builds for other machines the registry does not have in the locked version: npm wants them in the
 * lock, and there is no digest to lock.
 */
const UNPUBLISHED = /^node_modules\/litesvm-[a-z0-9-]+$/;

/** Packages inside another one's archive are held by its digest. */
function isBundled(path, { inBundle }, packages) {
  const parent = path.slice(0, path.lastIndexOf("/node_modules/"));
  return (
    inBundle === true && packages.some(([each, { integrity }]) => each === parent && integrity)
  );
}

/**
 * A test tool's build for another machine may have no digest, and only if the package it belongs to, itself held by its
 * digest, asks for exactly this version.
 */
function isUnpublished(path, { dev, optional, cpu, version }, packages) {
  if (!UNPUBLISHED.test(path) || dev !== true || optional !== true || cpu === undefined)
    return false;
  const name = path.slice("node_modules/".length);
  return packages.some(
    ([, parent]) =>
      parent.integrity !== undefined && parent.optionalDependencies?.[name] === version,
  );
}

function isStrong(integrity) {
  return /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity);
}

function isSame(wanted = {}, locked = {}) {
  const names = Object.keys(wanted);
  return (
    names.length === Object.keys(locked).length &&
    names.every((name) => wanted[name] === locked[name])
  );
}
