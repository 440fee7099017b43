import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A systemd of its own, whose machine is this one's files under a layer in memory. */
export interface Machine {
  /** Runs a shell script inside, as root. */
  run(script: string): SpawnSyncReturns<string>;
  stop(): Promise<void>;
}

/** Returns why no systemd can be started here; empty when one can. */
export function noSystemd(): string {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "needs root on Linux";
  const tools = ["unshare", "nsenter", "pivot_root", "dbus-daemon", "systemctl", "systemd-run"];
  const missing = tools.filter((tool) => spawnSync("which", [tool]).status !== 0);
  return missing.length === 0 ? "" : `needs ${missing.join(", ")}`;
}

const SYSTEMD = "/lib/systemd/systemd";
const CGROUPS = ["/sys/fs/cgroup/systemd", "/sys/fs/cgroup/unified", "/sys/fs/cgroup"].filter(
  (folder) => existsSync(join(folder, "cgroup.procs")),
);

/**
 * Writes go to memory alone: the root is left behind before systemd starts, and the units of the host, which clean folders
 * and set the kernel, are gone, as is what other tests keep where the service's data lies, which would be copied into it.
 */
const BOOT = `
set -eu
layer=$1; shift
mount -t tmpfs -o mode=755 tmpfs "$layer"
root=$layer/root
mkdir "$layer/upper" "$layer/work" "$root"
mount -t overlay -o "lowerdir=/,upperdir=$layer/upper,workdir=$layer/work" overlay "$root"
while [ $# -gt 0 ]; do mkdir -p "$root$2"; mount --bind "$1" "$root$2"; shift 2; done
mount -t proc proc "$root/proc"
mount --bind "$root/proc/sys" "$root/proc/sys"
mount -o remount,bind,ro "$root/proc/sys"
mount -t sysfs -o ro sysfs "$root/sys"
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
else
  mount -t tmpfs -o mode=755 tmpfs "$root/sys/fs/cgroup"
  mkdir "$root/sys/fs/cgroup/unified" "$root/sys/fs/cgroup/systemd"
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup/unified"
  mount -t cgroup -o none,name=systemd cgroup "$root/sys/fs/cgroup/systemd"
fi
for folder in run tmp dev; do mount -t tmpfs -o mode=755 tmpfs "$root/$folder"; done
mkdir -p "$root/run/lock" "$root/dev/shm" "$root/dev/pts" "$root/dev/mqueue" "$root/dev/hugepages"
chmod 1777 "$root/tmp" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
for n in 0 1 2; do ln -s fd/$n "$root/dev/$(echo stdin stdout stderr | cut -d' ' -f$((n + 1)))"; done
for device in "null 3" "zero 5" "full 7" "random 8" "urandom 9"; do
  mknod -m 666 "$root/dev/\${device% *}" c 1 "\${device#* }"
done
rm -rf "$root"/var/lib/wheelhouse* "$root"/etc/systemd/system/* "$root"/lib/systemd/system/*.wants "$root"/usr/lib/systemd/system-generators
for target in sysinit basic sockets timers paths network-online multi-user default; do
  printf '[Unit]\\nDefaultDependencies=no\\n' > "$root/etc/systemd/system/$target.target"
done
cd "$root"
mkdir .before
pivot_root . .before
umount -l .before
mount --make-rshared /
exec env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin container=test ${SYSTEMD} --system --unit=default.target --show-status=no
`;

/** Starts systemd in namespaces of its own, with folders of this machine at other places in it. */
export async function startSystemd(folders: Readonly<Record<string, string>>): Promise<Machine> {
  const layer = mkdtempSync(join(tmpdir(), "wheelhouse-systemd-"));
  const groups = CGROUPS.map((folder) => join(folder, basename(layer)));
  for (const group of groups) mkdirSync(group);
  const enter = groups.map((group) => `echo $$ > ${group}/cgroup.procs`).join(" && ");
  const flags = "--mount --pid --uts --ipc --cgroup --fork --kill-child";
  const places = Object.entries(folders).flatMap(([inside, here]) => [here, inside]);
  const child = spawn(
    "sh",
    [
      "-c",
      `${enter} && boot=$1 && shift && exec unshare ${flags} sh -c "$boot" boot "$@"`,
      "sh",
      BOOT,
      layer,
      ...places,
    ],
    { stdio: "ignore" },
  );
  const ended = once(child, "exit");
  const own = `/proc/${child.pid ?? 0}/task/${child.pid ?? 0}/children`;
  const run = (script: string) => {
    const pid = readFileSync(own, "utf8").trim();
    const inside = [
      "--target",
      pid,
      "--mount",
      "--pid",
      "--uts",
      "--ipc",
      "--cgroup",
      "--root",
      "--wdns=/",
    ];
    const env = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" };
    return spawnSync("nsenter", [...inside, "sh", "-c", script], { encoding: "utf8", env });
  };
  const stop = async () => {
    process.kill(Number(readFileSync(own, "utf8")), "SIGKILL");
    await ended;
    for (const group of groups)
      spawnSync("find", [group, "-depth", "-type", "d", "-exec", "rmdir", "{}", ";"]);
    for (const group of groups) if (existsSync(group)) rmdirSync(group);
    rmSync(layer, { recursive: true });
  };
  const isUp = () =>
    existsSync(own) &&
    readFileSync(own, "utf8") !== "" &&
    /running|degraded/.test(run("systemctl is-system-running").stdout);
  while (child.exitCode === null && !isUp()) await sleep(50);
  if (child.exitCode !== null) throw new Error("systemd did not start here.");
  run("systemctl start dbus systemd-journald");
  return { run, stop };
}
