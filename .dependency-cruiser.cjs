// Paths of production code; tests may reach for shared builders, the test framework and concrete implementations
const TESTS = "\\.test\\.tsx?$";
const from = (path, more = []) => ({ path, pathNot: [TESTS, ...more] });
const packages = "^node_modules/";

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "domain-is-pure",
      comment:
        "The domain is what trading means: without packages, network or clock it runs anywhere and is tested in milliseconds.",
      severity: "error",
      from: from("^src/domain/"),
      to: { pathNot: "^src/domain/" },
    },
    {
      name: "contract-knows-only-domain",
      comment:
        "The contract is read by both sides of the wire; whatever it imports, the browser downloads.",
      severity: "error",
      from: from("^src/contract/"),
      to: { pathNot: ["^src/(contract|domain)/", `${packages}zod/`] },
    },
    {
      name: "strategy-knows-only-domain",
      comment:
        "The same strategy code decides on the server, in the page and in a worker, so it can depend on none of them.",
      severity: "error",
      from: from("^src/strategy/"),
      to: { pathNot: "^src/(strategy|domain)/" },
    },
    {
      name: "assistant-knows-no-side",
      comment:
        "The page's chat and the protocol server offer the same tools, so these depend on neither; what they call is handed to them.",
      severity: "error",
      from: from("^src/assistant/"),
      to: {
        path: "^src/",
        pathNot: "^src/(assistant|contract|strategy|domain)/|^src/venues/profiles\\.ts$",
      },
    },
    {
      name: "solana-knows-only-domain",
      comment:
        "Chain building blocks are shared by server, browser and practice chain, so they belong to none of them.",
      severity: "error",
      from: from("^src/solana/"),
      to: { path: "^src/", pathNot: "^src/(solana|domain)/" },
    },
    {
      name: "venue-is-an-island",
      comment:
        "A venue can be removed by deleting its folder only while nothing but the port ties it to others.",
      severity: "error",
      from: from("^src/venues/([^/]+)/"),
      to: {
        path: "^src/",
        pathNot: [
          "^src/(domain|solana)/",
          "^src/venues/(?!profiles\\.)[^/]+\\.ts$",
          "^src/venues/$1/",
        ],
      },
    },
    {
      name: "profile-is-light",
      comment:
        "Every part of the page and the server asks profiles; what they import, all of those load.",
      severity: "error",
      from: from("^src/venues/([^/]+/profile|profiles)\\.ts$"),
      to: { pathNot: ["^src/domain/", "^src/venues/[^/]+/profile\\.ts$"] },
    },
    {
      name: "venue-port-knows-no-venue",
      comment:
        "The port is the same for every venue, so it cannot know one. The lists of profiles and of what each lets its owners approve name them all.",
      severity: "error",
      from: from("^src/venues/[^/]+\\.ts$", ["^src/venues/(profiles|approvals)\\.ts$"]),
      to: { path: "^src/", pathNot: ["^src/(domain|solana)/", "^src/venues/[^/]+\\.ts$"] },
    },
    {
      name: "practice-knows-no-app",
      comment:
        "The practice chain stands in for a cluster; a cluster knows nothing of our server, page or wire.",
      severity: "error",
      from: from("^src/practice/"),
      to: { path: "^src/", pathNot: "^src/(practice|venues|solana|domain)/" },
    },
    {
      name: "chain-packages-stay-below",
      comment:
        "Everything else speaks of addresses and amounts; the first load of the page stays free of chain code. The server may name types.",
      severity: "error",
      from: from("^src/", ["^src/(solana|venues|practice)/", "^src/client/custody/check/"]),
      to: { path: `${packages}@solana/`, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "sql-stays-in-the-store",
      comment:
        "One folder holds all SQL, so that locks, order and transactions can be reviewed in one place.",
      severity: "error",
      from: from("^src/", ["^src/server/store/"]),
      to: { path: `${packages}(pg|kysely|pg-[^/]+)/`, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "server-knows-no-page",
      comment: "The two sides meet only in the contract, so either can be replaced.",
      severity: "error",
      from: from("^src/server/"),
      to: { path: "^src/client/" },
    },
    {
      name: "page-knows-no-server",
      comment: "Server code in the browser's bundle would leak secrets and weight.",
      severity: "error",
      from: from("^src/client/"),
      to: { path: "^src/(server|practice)/" },
    },
    {
      name: "page-decodes-only-in-custody",
      comment: "Chain decoders are one lazy chunk; the rest of the page must load without them.",
      severity: "error",
      from: from("^src/client/", ["^src/client/custody/check/"]),
      to: {
        path: "^src/(solana|venues)/",
        pathNot: "^src/venues/(profiles|warnings)\\.ts$",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "decoders-are-asked-for",
      comment:
        "What decodes transactions is loaded when one is to be signed; imported plainly it would come with its importer.",
      severity: "error",
      from: from("^src/(?!client/custody/check/)"),
      to: {
        path: "^src/(client/custody/check/|venues/approvals\\.ts$)",
        dynamic: false,
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "page-knows-no-venue",
      comment:
        "The page asks the list of venues; one that is named here could not be removed by deleting its folder.",
      severity: "error",
      from: from("^src/client/"),
      to: { path: "^src/venues/[^/]+/" },
    },
    {
      name: "only-main-picks",
      comment:
        "Which venues and networks exist is decided in main/; everything else takes what it is given. What the practice chain asks of us (its ledger, its prices) is named practice-*.",
      severity: "error",
      from: from("^src/server/", ["^src/server/main/", "^src/server/.+/practice-[^/]+\\.ts$"]),
      to: { path: "^src/(practice/|venues/[^/]+/)" },
    },
    {
      name: "nobody-imports-main",
      comment: "The composition root is where arrows end.",
      severity: "error",
      from: from("^src/", ["^src/server/main/"]),
      to: { path: "^src/server/main/" },
    },
    {
      name: "store-is-at-the-bottom",
      comment: "Tables must not depend on who reads them.",
      severity: "error",
      from: from("^src/server/store/"),
      to: {
        path: "^src/server/(main|routes|push|trading|custody|agents|auth|alert-sources|market-data)",
      },
    },
    {
      name: "use-cases-know-no-wire",
      comment:
        "Trading, custody and agents work without HTTP: who is signed in and whom to tell are types below them, not parts of a route.",
      severity: "error",
      from: from(
        "^src/server/(trading|custody|agents|auth|alert-sources|market-data|notices|ledger)/",
      ),
      to: { path: "^src/server/(routes|push|http)/" },
    },
    {
      name: "trading-flows-one-way",
      comment:
        "Intake plans orders, lanes take them, orders are carried out; a stage that called an earlier one would trade twice.",
      severity: "error",
      from: from("^src/server/trading/(intake|orders)/"),
      to: {
        path: "^src/server/trading/(intake|lanes|orders)/",
        pathNot: "^src/server/trading/$1/",
      },
    },
    {
      name: "features-do-not-meet",
      comment:
        "Rooms are composed by tabs; one that imports another can no longer be changed or loaded alone.",
      severity: "error",
      from: from("^src/client/features/([^/]+)/"),
      to: { path: "^src/client/features/", pathNot: "^src/client/features/$1/" },
    },
    {
      name: "features-know-no-tab",
      comment: "app → tabs → features → queries: a feature works wherever it is placed.",
      severity: "error",
      from: from("^src/client/features/"),
      to: { path: "^src/client/(app|tabs)/" },
    },
    {
      name: "tabs-know-no-app",
      comment: "app → tabs → features → queries: a tab works in any shell.",
      severity: "error",
      from: from("^src/client/tabs/"),
      to: { path: "^src/client/app/" },
    },
    {
      name: "actions-know-no-screen",
      comment:
        "An action says what it does with the workspace it is given; whoever lists or performs it knows the screen.",
      severity: "error",
      from: from("^src/client/actions/"),
      to: { path: "^src/client/(app|tabs|features|custody)/" },
    },
    {
      name: "queries-know-no-screen",
      comment: "app → tabs → features → custody → queries: data does not depend on who shows it.",
      severity: "error",
      from: from("^src/client/queries/"),
      to: { path: "^src/client/(app|tabs|features|actions|custody|ui)/" },
    },
    {
      name: "custody-knows-no-screen",
      comment:
        "Approving is a service below the features: each of them calls it, so it can know none of them.",
      severity: "error",
      from: from("^src/client/custody/"),
      to: { path: "^src/client/(app|tabs|features)/" },
    },
    {
      name: "page-imports-calls-one-by-one",
      comment:
        "The table of all calls holds every schema: imported once, it puts them all into the first load.",
      severity: "error",
      from: from("^src/client/"),
      to: { path: "^src/contract/routes\\.ts$" },
    },
    {
      name: "workers-know-no-screen",
      comment:
        "Threads are asked by features, tabs and tests alike, so they depend on none of them.",
      severity: "error",
      from: from("^src/client/workers/"),
      to: { path: "^src/client/(app|tabs|features|custody|ui)/" },
    },
    {
      name: "widgets-know-no-feature",
      comment:
        "ui, lib and wallet are used everywhere, so they may depend on nothing that uses them.",
      severity: "error",
      from: from("^src/client/(ui|lib|wallet)/"),
      to: { path: "^src/client/(app|tabs|features|actions|custody|queries)/" },
    },
    {
      name: "no-cycle",
      comment: "Files in a cycle can only be understood, tested and moved together.",
      severity: "error",
      from: { path: "^src/" },
      to: { circular: true },
    },
    {
      name: "product-needs-no-test",
      comment: "Builders and fakes must not reach users.",
      severity: "error",
      from: from("^src/"),
      to: { path: ["^(test|e2e|bench|scripts)/", TESTS] },
    },
    {
      name: "product-needs-no-dev-package",
      comment:
        "A package that is only installed for development is missing where the product runs.",
      severity: "error",
      from: from("^src/", ["^src/client/"]),
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "every-import-resolves",
      comment: "An import the checker cannot follow is an arrow nobody checks.",
      severity: "error",
      from: { path: "^src/" },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "module", "browser", "types", "default"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".css", ".json"],
    },
  },
};
