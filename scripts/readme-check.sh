#!/usr/bin/env bash
# Runs the README's commands as written in a fresh copy of what is committed: start, use, kill -9, find everything again.
set -euo pipefail
source=$(git rev-parse --show-toplevel)
folder=$(mktemp -d)
server=
# Of a server that is ended nothing is left, and nothing is written any more.
cleanup() {
  if [ -n "$server" ] && kill "$server" 2>/dev/null; then
    for _ in $(seq 1 100); do kill -0 "$server" 2>/dev/null || break; sleep 0.1; done
  fi
  wait
  rm -rf "$folder"
}
trap cleanup EXIT
git clone -q "$source" "$folder/davit"
cd "$folder/davit"

# block N: the N-th shell block of the README.
block() { awk -v n="$1" '/^```sh$/ { if (++i == n) { on = 1; next } } /^```$/ { on = 0 } on' README.md; }

# The README's port is 6443; a test may find it taken, so it asks for its own.
port=$((20000 + RANDOM % 20000))
start() {
  (eval "$(block 1) -- --port $port") > server.log 2>&1 &
  for _ in $(seq 1 600); do grep -q 'is ready' server.log && break; sleep 0.2; done
  grep -a 'is ready' server.log || { cat server.log; return 1; }
  server=$(cat .davit/pid)
}

start
eval "$(block 2)"
kubectl get crontab my-crontab -o jsonpath='{.spec.cronSpec}{"\n"}' > before
kill -9 "$server"
start
kubectl get crontab my-crontab -o jsonpath='{.spec.cronSpec}{"\n"}' > after
cmp before after
kubectl create namespace readme-check
kubectl delete namespace readme-check --timeout=30s
echo 'what was acknowledged is there after kill -9'
