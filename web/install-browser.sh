#!/bin/sh
# What the browser tests need on Debian beside node: a browser, and characters for the Japanese pictures.
set -eu
apt-get update
apt-get install -y --no-install-recommends chromium fonts-noto-cjk
