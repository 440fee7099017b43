import { createHash, type Hash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { access, rename, rm, stat } from "node:fs/promises";
import { once } from "node:events";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod/mini";
import { type BackupPart, RestoreRefusedError } from "../store/backup/load-tables.ts";
import { NoBackupError, readTables } from "../store/backup/read-tables.ts";

/** Content of a backup. */
export interface BackupSize {
  readonly rows: number;
  readonly bytes: number;
}

/** Rows between two words on how far it is. */
const ROWS_PER_WORD = 100_000;

const FORMAT = 1;

/*
 * A backup is gzipped lines of JSON: a head with the migrations, for each table a line that names it and lines of
 * rows, and an end with the number of rows and the digest of all lines before it.
 */
const lineOf = z.union([
  z.array(z.string()),
  z.strictObject({
    wheelhouse: z.literal("backup"),
    format: z.number(),
    madeAt: z.string(),
    migrations: z.array(z.string()),
  }),
  z.strictObject({ name: z.string(), columns: z.array(z.string()) }),
  z.strictObject({ rows: z.number(), sha256: z.string() }),
]);

/**
 * Writes everything in a database, as it stood at one moment, to a new file that only this user may read.
 *
 * The file has its name once it is whole and on the disk. Throws `NoBackupError` when there is one already, or none can be written.
 */
export async function writeBackup(
  ownerUrl: string,
  path: string,
  options: { readonly nowMs: number; readonly onProgress: (rows: number) => void },
): Promise<BackupSize> {
  if (await isThere(path)) throw new NoBackupError(`${path} is there already.`);
  const draft = `${path}.${process.pid}.unfinished`;
  const file = createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true });
  await once(file, "open").catch((error: unknown) => {
    throw unwritable(path, error);
  });
  const zip = createGzip({ level: 4 });
  // Awaited below and at each full buffer; until then a full disk must not count as unhandled
  const written = pipeline(zip, file);
  let diskError: unknown;
  written.catch((error: unknown) => (diskError = error));
  const hash = createHash("sha256");
  const write = async (line: object) => {
    const text = `${JSON.stringify(line)}\n`;
    hash.update(text);
    if (!zip.write(text)) await Promise.race([once(zip, "drain"), written]);
  };
  let rows = 0;
  try {
    await readTables(ownerUrl, {
      begin: (migrations) =>
        write({
          wheelhouse: "backup",
          format: FORMAT,
          madeAt: new Date(options.nowMs).toISOString(),
          migrations,
        }),
      table: write,
      async rows(batch) {
        await write(batch);
        const before = rows;
        rows += batch.length;
        if (isWordDue(before, rows)) options.onProgress(rows);
      },
    });
    zip.end(`${JSON.stringify({ rows, sha256: hash.digest("hex") })}\n`);
    await written;
    await rename(draft, path);
  } catch (error) {
    // What is written after a full disk has ended it says less than that disk
    const cause = diskError ?? error;
    zip.destroy();
    file.destroy();
    await rm(draft, { force: true });
    throw unwritable(path, cause);
  }
  return { rows, bytes: (await stat(path)).size };
}

/** Reads a whole backup and throws `RestoreRefusedError` unless it can be restored. */
export async function checkBackup(path: string): Promise<void> {
  const parts = readBackup(path, () => {});
  while ((await parts.next()).done !== true);
}

/**
 * Reads a backup part by part; ends only when all of it was there, unchanged.
 *
 * Throws `RestoreRefusedError` for a file that is something else, is broken or breaks off.
 */
export async function* readBackup(
  path: string,
  onProgress: (rows: number) => void,
): AsyncGenerator<BackupPart> {
  const hash = createHash("sha256");
  let rows = 0;
  let isBegun = false;
  let isWhole = false;
  for await (const text of linesOf(path)) {
    const line = parse(path, text);
    if (isWhole) throw broken(path);
    if ("sha256" in line) isWhole = isEnd(line, rows, hash);
    hash.update(`${text}\n`);
    if ("wheelhouse" in line) {
      if (line.format !== FORMAT) throw new RestoreRefusedError(`${path} is of a newer version.`);
      isBegun = true;
      yield { kind: "begin", migrations: line.migrations };
      continue;
    }
    if (!isBegun) throw broken(path);
    if ("columns" in line) yield { kind: "table", table: line };
    if (!Array.isArray(line)) continue;
    yield { kind: "rows", rows: line };
    const before = rows;
    rows += line.length;
    if (isWordDue(before, rows)) onProgress(rows);
  }
  if (!isWhole) throw broken(path);
}

/** Calls of the file system that a backup is written with. */
const WRITING = new Set(["open", "write", "writev", "fsync", "close", "rename"]);

function unwritable(path: string, error: unknown): unknown {
  const { syscall, code } = error as NodeJS.ErrnoException;
  return syscall !== undefined && WRITING.has(syscall)
    ? new NoBackupError(`${path} cannot be written (${code}).`, { cause: error })
    : error;
}

const isWordDue = (before: number, now: number): boolean =>
  Math.floor(before / ROWS_PER_WORD) !== Math.floor(now / ROWS_PER_WORD);

const isEnd = (end: { rows: number; sha256: string }, rows: number, hash: Hash): boolean =>
  end.rows === rows && end.sha256 === hash.copy().digest("hex");

function parse(path: string, text: string) {
  try {
    return lineOf.parse(JSON.parse(text));
  } catch (error) {
    throw broken(path, error);
  }
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const text = createGunzip().setEncoding("utf8");
  file.on("error", (error) => text.destroy(error));
  file.pipe(text);
  // Kept in pieces: adding to a long line again and again would copy it each time
  let pieces: string[] = [];
  try {
    for await (const chunk of text) {
      const [first = "", ...others] = String(chunk).split("\n");
      pieces.push(first);
      for (const other of others) {
        yield pieces.join("");
        pieces = [other];
      }
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code?.startsWith("Z_") === true
      ? broken(path, error)
      : code === undefined
        ? error
        : new RestoreRefusedError(`${path} cannot be read (${code}).`, { cause: error });
  } finally {
    file.destroy();
  }
  if (pieces.join("") !== "") throw broken(path);
}

const broken = (path: string, cause?: unknown): RestoreRefusedError =>
  new RestoreRefusedError(`${path} is no backup, or not a whole one: nothing was changed.`, {
    cause,
  });

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
