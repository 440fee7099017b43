#!/bin/sh
# Puts the release that this file lies in in the place of /opt/wheelhouse and starts it; `upgrade.sh back` puts the one
# before it in its place again. As root; docs/upgrading.md.
set -eu

say() { echo "upgrade: $*"; }
fail() {
  echo "upgrade: $*" >&2
  exit 1
}

installed=/opt/wheelhouse
units=/etc/systemd/system
here=$(cd "$(dirname "$0")/.." && pwd -P)
date=$(date --utc +%Y%m%dT%H%M%SZ)
set_aside=$installed-$date
backup=/var/lib/wheelhouse/before-$date.backup

[ "$(id -u)" = 0 ] || fail "run it as root."
[ -d "$installed/dist/server" ] || fail "nothing is installed in $installed: docs/operating.md, Installing."
[ ! -e "$set_aside" ] || fail "$set_aside is there already; wait a second."
# The server that answers, and all in the order of their start
web=wheelhouse
services=wheelhouse
[ ! -e "$units/wheelhouse-signer.service" ] || services="wheelhouse-signer wheelhouse"
[ ! -e "$units/wheelhouse-web.service" ] || web=wheelhouse-web
[ $web = wheelhouse ] || services="$services $web"

# Replaces each unit that is as one release has it by the other's; what the operator changed stays
take_units() {
  for name in wheelhouse.service wheelhouse-web.service wheelhouse-signer.service; do
    [ -e "$units/$name" ] || continue
    if cmp --silent "$units/$name" "$1/deploy/$name"; then
      cp "$2/deploy/$name" "$units/$name"
    else
      say "$units/$name is not as the release has it and stays: compare it with $2/deploy/$name."
    fi
  done
  [ ! -e "$2/deploy/wheelhouse-operate" ] || install "$2/deploy/wheelhouse-operate" /usr/local/bin/
  systemctl daemon-reload
}

# Starts all and waits until the server answers or ended
start() {
  systemctl reset-failed $services 2>/dev/null || true
  systemctl start $services
  until node --env-file=/etc/$web.env --eval \
    "fetch(\`http://127.0.0.1:\${process.env.PORT ?? 4600}/api/health\`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"; do
    [ "$(systemctl show --property=NRestarts --value wheelhouse)" = 0 ] || return 1
    sleep 1
  done
}

# The names of the migrations, which the first line of a backup has
migrations() { zcat "$1" 2>/dev/null | head -n 1 | grep --only-matching '"migrations":\[[^]]*\]'; }

if [ "${1-}" = back ]; then
  [ -e "$installed/.before" ] || fail "the release in $installed took the place of none."
  { read -r former && read -r former_backup; } < "$installed/.before"
  [ -d "$former/dist/server" ] || fail "$former is not there any more."
  next=$former
else
  [ "$here" != "$installed" ] || fail "unpack the new release elsewhere and run the upgrade.sh in it."
  say "building $here…"
  (cd "$here" && sh deploy/build-image.sh)
  next=$here
fi

say "stopping $services."
systemctl stop $web
systemctl stop $services
# Whatever fails before the folders change places: what was stopped goes on
trap 'systemctl start $services; echo "upgrade: failed; the installed release was started again." >&2' EXIT
sh "$here/deploy/wheelhouse-operate" backup "$backup"
take_units "$installed" "$next"
# Only systemd reads them; earlier versions left the signer's to a group that the server is in too
chmod 0600 /etc/wheelhouse*.env
mv "$installed" "$set_aside"
mv "$next" "$installed"
trap - EXIT

if [ "${1-}" = back ]; then
  if [ "$(migrations "$former_backup")" != "$(migrations "$backup")" ]; then
    say "the newer release changed the database: restoring $former_backup; what was stored since is in $backup."
    sh "$set_aside/deploy/wheelhouse-operate" restore "$former_backup" --replace
  fi
else
  printf '%s\n' "$set_aside" "$backup" > "$installed/.before"
fi
start || fail "the server ended: journalctl --unit=wheelhouse says why. To go back: sh $installed/deploy/upgrade.sh back"
say "done. The other release is in $set_aside, the backup in $backup."
