/** The embedded database cannot run here; the message is one line that names the setting to change. */
export class LaunchError extends Error {
  override readonly name = "LaunchError";
}
