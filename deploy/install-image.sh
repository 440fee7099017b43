#!/bin/sh
# Prepares a bare Debian for the server: an account without rights or home, and the folder of its data.
set -eu

groupadd --system --gid 10001 wheelhouse
useradd --system --uid 10001 --gid wheelhouse --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin wheelhouse
install --directory --owner=wheelhouse --group=wheelhouse --mode=0700 /data
