/** Ends the script with one line for the user. */
export function fail(line) {
  console.error(line);
  process.exit(1);
}
