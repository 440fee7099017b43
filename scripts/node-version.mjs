// Only what the oldest Node with modules can parse: this file must be able to say that Node is too old
const [major, minor] = process.versions.node.split(".").map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node ${process.versions.node} is too old: Wheelhouse needs Node 20.19 or newer.`);
  process.exit(1);
}
