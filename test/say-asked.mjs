// Given to Node with --import: the process that trades says what it hears of the nodes' requests by pages
const { emit } = process;

if (process.argv[1]?.endsWith("trading.js")) {
  // A listener here would take what comes before the process listens itself
  process.emit = function (name, ...given) {
    if (name === "message" && given[0]?.asked) {
      console.log(`Asked by pages: ${JSON.stringify(given[0].asked)}`);
    }
    return emit.call(this, name, ...given);
  };
}
